import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import packageJson from "../package.json" with { type: "json" };
import { createApiKeysModule, createApiKeysRepository } from "./accounts/api-keys/index.ts";
import { createApplicationsModule } from "./accounts/applications/index.ts";
import { createIdentityModule, createPasswordHasher, type PasswordHasher } from "./accounts/identity/index.ts";
import { createAccessTokenAuthenticator, createOAuthModule, deleteUserGrants } from "./accounts/oauth/index.ts";
import { createOrganizationsModule } from "./accounts/organizations/index.ts";
import { createPeopleModule } from "./accounts/people/index.ts";
import { createApprovalUseCases, createRegistrationModule } from "./accounts/registration/index.ts";
import { createRouteRulesModule } from "./accounts/route-rules/index.ts";
import { createSignInProvidersModule } from "./accounts/sign-in-providers/index.ts";
import { createBackendsModule } from "./catalogue/backends/index.ts";
import { createCatalogueModule, createModelLookup, saveHubFacts } from "./catalogue/models/index.ts";
import { isExposed } from "./config/exposure.ts";
import { publicUrlOf } from "./config/public-url.ts";
import { createWorkerTest } from "./config/replica-host.ts";
import type { Settings } from "./config/settings.ts";
import { describeSettings } from "./config/settings-report.ts";
import { createBackendRegistry, createGateway } from "./gateway/index.ts";
import { createClusterModels } from "./hosting/cluster-models/index.ts";
import { createDeploymentsModule, createKubernetes } from "./hosting/deployments/index.ts";
import { createHub, createReadCard, logReachability } from "./hosting/hub/index.ts";
import { createModelHostModule, createSharedLoading } from "./hosting/model-host/index.ts";
import { createPrivateModelsModule } from "./hosting/private-models/index.ts";
import {
  createArchitectureCheck,
  createEngineStarter,
  createGpuReader,
  createVllmArchitectureCheck,
  createVllmStarter,
  type EngineGpu,
  type EngineSandbox,
  type GgufConverter,
  type Gpu,
  gpuTypeOf,
  type IsKnownArchitecture,
  NO_CONVERTER,
  type StartEngine,
  type VllmState,
} from "./hosting/runtimes/index.ts";
import { createAutoPull, createReadGgufHeader, type GetFreeBytes } from "./hosting/store/index.ts";
import { createEarlyAnswers } from "./http/connections/early-answers.ts";
import { loadContract } from "./http/contract.ts";
import { createEventStreamLimit } from "./http/event-stream-limit.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createRequestRecord } from "./http/request-record.ts";
import {
  createMachineFigures,
  createOperationsModule,
  createUnitsLimit,
  toThresholdMs,
  watchCalls,
} from "./insight/operations/index.ts";
import { createStatusModule } from "./insight/status/index.ts";
import { createSystemModule } from "./insight/system/index.ts";
import { createRefusalCounter, createUsageModule } from "./insight/usage/index.ts";
import { createBillingModule, type DatabaseNow, readDatabaseNow } from "./money/billing/index.ts";
import { createBudgetsModule } from "./money/budgets/index.ts";
import { createCreditsModule } from "./money/credits/index.ts";
import { createLedger } from "./money/ledger/index.ts";
import { createMarketplaceModule } from "./money/marketplace/index.ts";
import { createPlansModule } from "./money/plans/index.ts";
import { createPricesModule } from "./money/prices/index.ts";
import { createReferralsModule } from "./money/referrals/index.ts";
import { createAuditModule } from "./platform/audit/index.ts";
import { type Clock, systemClock } from "./platform/core/clock.ts";
import type { Database, PoolState } from "./platform/core/db/connect.ts";
import { createStorageHealth } from "./platform/core/db/storage-health.ts";
import { createDeviceCookie } from "./platform/core/http/device-cookie.ts";
import type { Handlers } from "./platform/core/http/handlers.ts";
import { chooseLimiters, deleteEndedLimits } from "./platform/core/http/limiter.ts";
import { createRateLimiter } from "./platform/core/http/rate-limits.ts";
import { createSessionCookie } from "./platform/core/http/session-cookie.ts";
import { type Ids, randomIds } from "./platform/core/ids.ts";
import type { Job } from "./platform/core/jobs.ts";
import { JobStats } from "./platform/core/metrics/job-stats.ts";
import { ProcessMonitor } from "./platform/core/metrics/process-monitor.ts";
import { QueryStats } from "./platform/core/metrics/query-stats.ts";
import { TrafficCounters } from "./platform/core/metrics/traffic-counters.ts";
import { createOutgoing } from "./platform/core/network/outgoing.ts";
import { createParsePool, type ParserModule } from "./platform/core/parse-pool.ts";
import { createPeerClient } from "./platform/core/peers/peer-client.ts";
import { derivePeerToken } from "./platform/core/peers/peer-token.ts";
import { LONE_REPLICA, type Replicas } from "./platform/core/replicas/replicas.ts";
import { createSealer, createSigner, SEALING_PURPOSES, SIGNING_PURPOSES } from "./platform/core/secrets/sealing.ts";
import { HOUR_S } from "./platform/core/time.ts";
import type { Tracing } from "./platform/core/tracing.ts";
import { createMailModule, redactAddress } from "./platform/mail/index.ts";
import { createEventOutbox, createWebhooksModule, redactMaker } from "./platform/webhooks/index.ts";
import { createForwarding } from "./replicas/forwarding.ts";

/** What differs between installations and tests: everything that is needed to create the server. */
export type ServerOptions = {
  db: Database;
  settings: Settings;
  log: Logger;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  clock?: Clock;
  ids?: Ids;
  /** The other server processes on the same database; none by default. */
  replicas?: Replicas;
  /** Reads the database's clock; queries the database by default. */
  databaseNow?: DatabaseNow;
  /** The secret of the installation. By default it is random. */
  secret?: Uint8Array;
  /** The password hashing. By default it follows OWASP's recommendation. */
  passwords?: PasswordHasher;
  /** The folder of the built site. */
  siteFolder?: string;
  /** Whether every response is checked against the contract. */
  checkResponses?: boolean;
  /** Starts an engine. By default engines are separate processes. */
  startEngine?: StartEngine;
  /** Returns whether llama.cpp knows an architecture. By default the engine is asked. */
  isKnownArchitecture?: IsKnownArchitecture;
  /**
   * The module that parses model cards in worker threads, and its time limit in milliseconds. By default it is the parser
   * of the hub.
   */
  cardParser?: ParserModule;
  /** Whether engines run in a sandbox; off by default. */
  engineSandbox?: EngineSandbox;
  /** Converts safetensors files to GGUF files. Nothing by default. */
  converter?: GgufConverter;
  /** Whether engines use a graphics card; off by default. */
  engineGpu?: EngineGpu;
  /** Whether models run with vLLM too; off by default. */
  vllm?: VllmState;
  /** Returns the graphics cards of this machine; asks `nvidia-smi` by default. */
  listGpus?: () => Promise<readonly Gpu[]>;
  /** Returns the free space on the disk of a folder, in bytes. */
  freeBytes?: GetFreeBytes;
  /** Counters of requests and calls of this process. By default new ones, which start at 0. */
  traffic?: TrafficCounters;
  /** What traces requests; nothing by default. */
  tracing?: Tracing | null;
  /** Counters of the database's queries. None by default. */
  queries?: QueryStats;
  /** Returns how the database's connections are used; there are none by default. */
  readPool?: () => PoolState;
};

/** A module: the handlers of its operations, its background jobs, and what other modules use of it. */
type Module = { routes: Handlers; jobs: readonly Job[]; api: object };

/** All modules of the server. */
export type Platform = ReturnType<typeof createPlatform>;

const SITE = fileURLToPath(new URL("../../web/dist", import.meta.url));

/**
 * Creates every module with exactly what it needs, in the order of their dependencies. Longer than other functions
 * because it is the table of contents of the server: one statement per module, without branches.
 */
export function createPlatform(options: ServerOptions) {
  const { db, settings, log, dataDir, clock = systemClock, ids = randomIds, secret = randomBytes(32) } = options;
  const { engineSandbox = { state: "off" }, databaseNow = readDatabaseNow(db), freeBytes } = options;
  const { traffic = new TrafficCounters(), queries = new QueryStats() } = options;
  const { replicas = LONE_REPLICA } = options;
  const peerToken = derivePeerToken(secret);
  const peers = createPeerClient({ replicas, token: peerToken.value });
  const earlyAnswers = createEarlyAnswers();
  const forwarding = createForwarding({ replicas, token: peerToken.value, prepareAnswer: earlyAnswers.prepare });
  const { productName } = settings.site;
  const publicUrl = publicUrlOf(settings.server);
  const lifecycle = { starting: false, draining: false };
  const contract = loadContract();
  const engineGpu: EngineGpu = options.engineGpu ?? { state: "off", reason: "FEATHER_GPU is off." };
  const startEngine = options.startEngine ?? createEngineStarter(log, engineSandbox, gpuTypeOf(engineGpu));
  const vllm: VllmState = options.vllm ?? { state: "off", reason: "FEATHER_VLLM is off." };
  const outgoing = createOutgoing({ allow: settings.server.outgoingAllow });
  const createLimiter = chooseLimiters({ db, clock, replicas });
  const limits = createRateLimiter(settings.server.rateLimits, createLimiter);
  const storageHealth = createStorageHealth(clock);
  const secureCookies = publicUrl.startsWith("https:");
  const sessionCookie = createSessionCookie(secureCookies, settings.server.cookieDomain);
  const deviceCookie = createDeviceCookie({
    signer: createSigner(secret, SIGNING_PURPOSES.deviceCookies),
    clock,
    secure: secureCookies,
  });

  const auditModule = createAuditModule({ db, clock, ids, log });
  const audit = auditModule.api;
  const { readLog } = audit;
  const events = createEventOutbox({ clock, ids });
  const installation = { publicUrl, productName, lifecycle };
  const base = { db, clock, ids, log, audit, readLog, events, limits, replicas, ...installation };

  const mailModule = createMailModule({
    ...base,
    settings: settings.mail,
    logsLinks: !isExposed(settings.server.host, settings.server.publicUrl),
  });
  const mail = mailModule.api;
  const webhookSealer = createSealer(secret, SEALING_PURPOSES.webhookSecrets);
  const webhooks = createWebhooksModule({ ...base, mail, outgoing, sealer: webhookSealer });
  const plans = createPlansModule({ ...base, offersTrials: settings.billing.trials });
  const { plansRepository, currentPlan, invalidatePlan } = plans.api;

  // The modules for money.
  const ledger = createLedger(db, clock, ids);
  const prices = createPricesModule(base);
  const budgets = createBudgetsModule({ ...base, mail });
  const credits = createCreditsModule({ ...base, ...budgets.api, ledger });
  const money = { ...base, ledger, mail, plansRepository, invalidatePlan, ...credits.api };
  // There is no payment driver that moves money: payments are off or use the test driver.
  const referrals = createReferralsModule({ ...money, settings: settings.referrals, isTest: true });
  const billing = createBillingModule({
    ...money,
    cardFingerprintKey: secret,
    databaseNow,
    settings: settings.billing,
    invoiceHooks: referrals.api.invoiceHooks,
  });
  const marketplace = createMarketplaceModule({ ...money, billing: billing.api, settings: settings.marketplace });

  // The modules for models and calls to them.
  const registry = createBackendRegistry(clock, outgoing.connect);
  const parsePool = createParsePool();
  const readCard = createReadCard(parsePool, options.cardParser);
  const hub = logReachability(createHub(settings.hub, settings.server.outgoingAllow, readCard), log);
  const { callableModels, ensureModels, findSizes } = createModelLookup({ ...base, registry });
  const backends = createBackendsModule({
    ...base,
    sealer: createSealer(secret, SEALING_PURPOSES.backendKeys),
    registry,
    ensureModels,
    findSizes,
    outgoing,
    settings: settings.backends,
    ownPort: settings.server.port,
  });
  const hubTokens = createSealer(secret, SEALING_PURPOSES.hubTokens);
  const cluster = createKubernetes({
    ...base,
    settings: settings.kubernetes,
    hub: { url: settings.hub.dir === undefined ? settings.hub.url : null, token: settings.hub.token },
    findFiles: (key, organizationId) => modelHost.api.describeFiles(key, organizationId),
  });
  const clusterModels = createClusterModels({
    ...base,
    cluster,
    hardware: settings.kubernetes.hardware,
    isOn: settings.modelHost.place === "kubernetes",
    getsFiles: settings.kubernetes.serverUrl !== undefined,
    idleSeconds: settings.modelHost.idleSeconds,
    maxPods: settings.modelHost.maxPods,
  });
  const modelHost = createModelHostModule({
    ...base,
    sharedPlace: clusterModels.place,
    dataDir,
    hub,
    registry,
    ensureModels,
    refreshBackends: () => backends.api.discovery.refresh(modelHost.api.host.ids()),
    startEngine,
    engineGpu,
    converter: options.converter ?? NO_CONVERTER,
    isKnownArchitecture: options.isKnownArchitecture ?? createArchitectureCheck(log, engineSandbox),
    readGgufHeader: createReadGgufHeader(parsePool),
    saveHubFacts: (modelId, repository) => saveHubFacts({ db, hub, clock }, modelId, repository),
    vllm:
      vllm.state === "on"
        ? {
            start: createVllmStarter({ vllm, dataDir, sandbox: engineSandbox, log }),
            gpuName: vllm.gpu.name,
            gpuBytes: vllm.gpu.totalBytes,
            isKnownArchitecture: createVllmArchitectureCheck({ command: vllm.command, dataDir, log }),
          }
        : { unavailable: vllm.reason },
    listGpus: options.listGpus ?? createGpuReader(clock),
    hubTokens,
    hubToken: settings.hub.token,
    settings: settings.modelHost,
    ...(freeBytes && { freeBytes }),
    replicas,
    peers,
    peerToken: peerToken.value,
  });
  const autoPull = createAutoPull({ ...base, ...modelHost.api, mode: settings.store.autoPull });
  const loading = createSharedLoading({ replicas, peers, local: autoPull, clock });
  const catalogue = createCatalogueModule({
    ...base,
    callableModels,
    registry,
    host: modelHost.api.host,
    openPulls: modelHost.api.openPulls,
    fit: modelHost.api.fit,
    autoPull: loading,
    sources: modelHost.api.sources,
    sourcesRepository: modelHost.api.sourcesRepository,
    refreshesFromHub: settings.hub.refresh,
    hub,
    readCard,
    mail,
    priceBook: prices.api.priceBook,
    currentPlan,
    hubTokens: settings.hub.tokens === "keep" ? hubTokens : null,
  });
  const refusals = createRefusalCounter(db, clock, log);
  const gateway = createGateway({
    ...base,
    settings: settings.gateway,
    registry,
    models: callableModels,
    modelHost: loading.host,
    peers,
    currentPlan,
    prices: prices.api.priceBook,
    reservations: credits.api.reservations,
    availableCredits: async (organizationId) => (await credits.api.credits.balance(organizationId)).available,
    usageStore: credits.api.settlement,
    onRefused: refusals.add,
    onSettled: watchCalls(traffic, log, toThresholdMs(settings.operations.slowRequestSeconds)),
  });
  const usage = createUsageModule({ ...base, settings: settings.usage, liveCalls: gateway.api.liveCalls, currentPlan });
  const deployments = createDeploymentsModule({
    ...base,
    models: callableModels,
    hosting: modelHost.api,
    startEngine,
    plansRepository,
    currentPlan,
    gateway: gateway.api,
    cluster: clusterModels.deploymentsCluster,
    findHostedKey: (id) => clusterModels.findKey(id, modelHost.api.host.ids()),
  });
  const privateModels = createPrivateModelsModule({
    ...base,
    hub,
    hosting: modelHost.api,
    plansRepository,
    countDeployments: deployments.api.deploymentsRepository.countByModel,
    invalidateModels: callableModels.invalidate,
  });
  const status = createStatusModule(base);

  // The modules for people and their credentials.
  const apiKeysRepository = createApiKeysRepository(db);
  const approvals = createApprovalUseCases({ ...base, mail });
  const identityModule = createIdentityModule({
    ...base,
    secondFactorSealer: createSealer(secret, SEALING_PURPOSES.secondFactors),
    registrationSigner: createSigner(secret, SIGNING_PURPOSES.registrationStates),
    recoveryCodePepper: secret,
    passwords: options.passwords ?? createPasswordHasher(),
    settings: settings.identity,
    mail,
    mustConfirmEmail: settings.mail.smtpUrl !== undefined,
    delaysGuesses: settings.server.rateLimits,
    sessionCookie,
    deviceCookie,
    plansRepository,
    apiKeysRepository,
    ledger,
    credits: credits.api.credits,
    billing: billing.api,
    authenticateAccessToken: createAccessTokenAuthenticator(db, clock),
    deleteUserGrants,
    onConfirmed: async ({ email, approval_requested_at }, trx) => {
      if (approval_requested_at) await approvals.notifyAdmins(email, trx);
    },
    onRegistered: referrals.api.onRegistered,
    endOrganization: async (organizationId, trx) => {
      await billing.api.cancellation.closeOrganization(organizationId, trx);
      await deployments.api.deployments.deleteAll(organizationId, trx);
      await usage.api.anonymizeOrganizationsUsage([organizationId], trx);
    },
    anonymizeUser: async ({ userId, addresses }, trx) => {
      await usage.api.anonymizeUserUsage(userId, trx);
      await redactMaker(userId, trx);
      for (const address of addresses) await redactAddress(address, trx);
    },
  });
  const identity = identityModule.api;
  const { invalidateApiKeys, toUserDto, usersRepository } = identity;
  const deliversMail = settings.mail.smtpUrl !== undefined;
  const people = { ...base, identity, mail, approvals, sessionCookie, deviceCookie, invalidateApiKeys, toUserDto };
  const { onRegistered } = referrals.api;
  const registration = createRegistrationModule({
    ...people,
    createLimiter,
    onRegistered,
    settings: settings.registration,
  });
  const signInProviders = createSignInProvidersModule({
    ...people,
    registration: registration.api,
    onRegistered,
    settings: settings.signInProviders,
  });
  const apiKeys = createApiKeysModule({ ...people, apiKeysRepository, plansRepository });
  const applications = createApplicationsModule({
    ...people,
    isReviewRequired: settings.applications.review,
  });
  const oauth = createOAuthModule({ ...people, applicationsRepository: applications.api.applicationsRepository });
  const organizations = createOrganizationsModule({ ...people, deliversMail });
  const administration = createPeopleModule({ ...people, billing: billing.api, invalidatePlan });
  const routeRules = createRouteRulesModule({ ...base, usersRepository, currentPlan });
  const system = createSystemModule({
    ...people,
    document: contract.document,
    config: {
      productName,
      version: packageJson.version,
      publicUrl,
      providers: settings.signInProviders.providers.map(({ id }) => id),
      passkeys: identity.allowsPasskeys,
      registration: settings.registration.mode,
      analytics: {
        key: settings.site.analyticsKey,
        host: settings.site.analyticsHost,
        beforeConsent: settings.site.analyticsBeforeConsent,
      },
      deliversMail,
      payments: settings.billing.payments,
      marketplaces: settings.marketplace.mode,
      contactEmail: settings.site.contactEmail ?? null,
      communityUrl: settings.site.communityUrl ?? null,
    },
    storageHealth,
    describeSettings: () => describeSettings(settings, engineSandbox),
    deliversMail,
  });

  const jobStats = new JobStats();
  const eventStreams = createEventStreamLimit();
  const operations = createOperationsModule({
    sources: {
      version: packageJson.version,
      replicas,
      traffic,
      machine: createMachineFigures({ replicas, peers, isOfThisMachine: createWorkerTest(settings.server) }),
      eventStreams,
      ...gateway.api,
      unitsLimit: createUnitsLimit(db, clock),
      listBackends: backends.api.listStates,
      hosting: modelHost.api,
      openPulls: modelHost.api.openPulls,
      jobs: jobStats,
      queries,
      readPool: options.readPool ?? (() => ({ inUse: 0, idle: 0, waiting: 0 })),
      process: new ProcessMonitor(),
    },
    clock,
    settings: settings.operations,
  });
  const recordRequest = createRequestRecord({
    traffic,
    logsRequests: settings.operations.logsRequests,
    slowMs: toThresholdMs(settings.operations.slowRequestSeconds),
    log,
  });

  const idempotency = createIdempotency(db, clock);
  const modules: readonly Module[] = [
    auditModule,
    mailModule,
    webhooks,
    plans,
    prices,
    budgets,
    credits,
    referrals,
    billing,
    marketplace,
    backends,
    modelHost,
    catalogue,
    gateway,
    usage,
    deployments,
    privateModels,
    status,
    identityModule,
    registration,
    signInProviders,
    apiKeys,
    applications,
    oauth,
    organizations,
    administration,
    routeRules,
    system,
    operations,
  ];
  return {
    db,
    settings,
    log,
    clock,
    ids,
    publicUrl,
    productName,
    contract,
    limits,
    storageHealth,
    lifecycle,
    replicas,
    engineSandbox,
    engineGpu,
    vllm,
    idempotency,
    traffic,
    eventStreams,
    recordRequest,
    tracing: options.tracing ?? null,
    jobStats,
    peerToken,
    /** Closes the connections to other replicas. */
    closePeers: async () => void (await Promise.all([peers.close(), forwarding.close()])),
    /** Ends the threads that parse texts from other sources. */
    closeParsers: parsePool.close,
    /** The handlers of calls from other replicas. */
    peerAnswers: [...modelHost.peerAnswers, ...loading.peerAnswers, ...gateway.peerAnswers, ...operations.peerAnswers],
    forwarding,
    earlyAnswers,
    siteFolder: options.siteFolder ?? SITE,
    checkResponses: options.checkResponses ?? false,
    handlers: modules.reduce<Handlers>((handlers, { routes }) => Object.assign(handlers, routes), {}),
    jobs: [
      ...modules.flatMap(({ jobs }) => jobs),
      {
        name: "delete old idempotency keys",
        everySeconds: HOUR_S,
        run: async () => void (await idempotency.deleteExpired()),
      },
      { name: "delete ended rate limits", everySeconds: HOUR_S, run: () => deleteEndedLimits(db, clock.now()) },
    ],
    events,
    api: {
      audit,
      mail,
      webhooks: webhooks.api,
      plans: plans.api,
      ledger,
      prices: prices.api,
      credits: credits.api,
      billing: billing.api,
      backends: { ...backends.api, registry },
      modelHost: modelHost.api,
      catalogue: { callableModels },
      gateway: gateway.api,
      usage: { ...usage.api, refusals },
      deployments: deployments.api,
      identity,
      apiKeys: { apiKeysRepository },
      registration: registration.api,
      routeRules: routeRules.api,
      operations: operations.api,
    },
  };
}
