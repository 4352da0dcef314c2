import packageJson from "../package.json" with { type: "json" };
import { createAccounts } from "./accounts/index.ts";
import { createCatalogue } from "./catalogue/index.ts";
import { createModelLookup, saveHubFacts } from "./catalogue/models/index.ts";
import { createRoutingRules } from "./catalogue/routing/index.ts";
import { createChats } from "./chats/index.ts";
import { MAIL_TEMPLATES } from "./config/mail-templates.ts";
import { createWorkerTest } from "./config/replica-host.ts";
import { createSettingsCatalog } from "./config/settings-catalog.ts";
import { describeSettings } from "./config/settings-report.ts";
import { MAIL_TRANSLATIONS, translateText } from "./config/translations.ts";
import { createAccessTokens, createBackendRegistry, createGateway } from "./gateway/index.ts";
import { createHosting, createOwnModels } from "./hosting/index.ts";
import { readFreeBytes } from "./hosting/store/index.ts";
import { createRequestRecord } from "./http/request-record.ts";
import { createInsight } from "./insight/index.ts";
import { createMachineFigures, toThresholdMs, watchCalls } from "./insight/operations/index.ts";
import type { SavedSetting } from "./insight/settings/index.ts";
import { createMoney } from "./money/index.ts";
import type { Handlers } from "./platform/core/http/handlers.ts";
import { deleteEndedLimits } from "./platform/core/http/limiter.ts";
import type { Job } from "./platform/core/jobs.ts";
import { ProcessMonitor } from "./platform/core/metrics/process-monitor.ts";
import { HOUR_S } from "./platform/core/time.ts";
import { createPlatform } from "./platform/index.ts";
import { redactAddress } from "./platform/mail/index.ts";
import { redactMaker } from "./platform/webhooks/index.ts";
import { type CompleteOptions, completeOptions, type ServerOptions } from "./server-options.ts";
import { createCookies, createServices, deriveKeys, publicConfigOf, type Services } from "./server-services.ts";

/** The handlers of some operations and their background jobs. */
type Module = { routes: Handlers; jobs: readonly Job[] };

/** All modules of the server, and what they share. */
export type Modules = ReturnType<typeof createModules>;

/** Creates the server's modules, and collects what it runs of them: handlers, jobs, and answers to other replicas. */
export function createModules(given: ServerOptions) {
  const { secret, ...options } = completeOptions(given);
  const keys = deriveKeys(secret);
  const services = createServices(options, keys);
  const { modules, ...layers } = createLayers(options, services, keys);
  const { db, clock, log, settings, traffic } = options;
  const { idempotency, peers, forwarding, parsePool } = services;
  const { logsRequests, slowRequestSeconds } = settings.operations;
  return {
    ...options,
    ...services,
    ...layers,
    peerToken: keys.peerToken,
    recordRequest: createRequestRecord({ traffic, logsRequests, slowMs: toThresholdMs(slowRequestSeconds), log }),
    /** Closes the connections to other replicas. */
    closePeers: async () => void (await Promise.all([peers.close(), forwarding.close()])),
    /** Ends the threads that parse texts from other sources. */
    closeParsers: parsePool.close,
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
  };
}

/**
 * Creates the layers from the lowest up. Longer than other functions because it is the table of contents of the server: one
 * statement per layer, without branches. What a layer needs of a higher one is a function, which is called later.
 */
function createLayers(options: CompleteOptions, services: Services, keys: ReturnType<typeof deriveKeys>) {
  const { settings, databaseNow, clock, traffic, log } = options;
  const { outgoing, peers, storageHealth, deliversMail } = services;
  const { base, ...platform } = createPlatform({
    ...options,
    ...services,
    mailTemplates: MAIL_TEMPLATES,
    mailTranslations: MAIL_TRANSLATIONS,
    translateText,
    webhookSealer: keys.webhookSealer,
  });
  const { mail } = platform.api;
  const money = createMoney({
    ...base,
    mail,
    outgoing,
    settings,
    databaseNow,
    cardFingerprintKey: keys.cardFingerprintKey,
    moduleService: options.moduleService,
  });
  mail.renderAttachmentsWith(money.api.billing.renderAttachments);
  const { plans, prices, credits, billing } = money.api;
  const mayCallElsewhere = (organizationId: string) => accounts.api.organizations.mayCallElsewhere(organizationId);
  const registry = createBackendRegistry(clock, outgoing.connect, createAccessTokens(outgoing.fetch));
  const lookup = createModelLookup({ ...base, registry });
  const routingRules = createRoutingRules(base);
  const hosting = createHosting({
    ...options,
    ...services,
    ...base,
    outgoingAllow: settings.server.outgoingAllow,
    hubTokens: keys.hubTokens,
    peerToken: keys.peerToken.value,
    registry,
    ensureModels: lookup.ensureModels,
    refreshBackends: () => catalogue.api.backends.discovery.refresh(sharedModels.modelHost.host.ids()),
    saveHubFacts: (hub, modelId, repository) => saveHubFacts({ ...base, hub }, modelId, repository),
  });
  const sharedModels = hosting.api;
  const catalogue = createCatalogue({
    ...base,
    parsePool: services.parsePool,
    lookup,
    routingRules,
    sharedModels,
    money: money.api,
    mail,
    outgoing,
    settings,
    mayCallElsewhere,
    countCallsOfOthers: (backend) => gateway.api.countCallsOfOthers(backend),
    backendKeySealer: keys.backendKeySealer,
    providerKeySealer: keys.providerKeySealer,
    toolServerSealer: keys.toolServerSealer,
    hubTokens: keys.hubTokens,
    ownPort: settings.server.port,
  });
  const gateway = createGateway({
    ...base,
    settings: settings.gateway,
    registry,
    models: lookup.callableModels,
    readRules: routingRules.read,
    modelHost: sharedModels.loading.host,
    peers,
    forwarding: services.forwarding,
    currentPlan: plans.currentPlan,
    mayCallElsewhere,
    findOwnKeys: catalogue.api.findOwnKeys,
    prices: prices.priceBook,
    reservations: credits.reservations,
    availableCredits: async (organizationId) => (await credits.credits.balance(organizationId)).available,
    usageStore: credits.settlement,
    onRefused: (organizationId) => insight.api.usage.refusals.add(organizationId),
    waitingAnswers: {
      require: (answer) => chats.api.waitingAnswers.require(answer),
      finish: (answer, end) => chats.api.waitingAnswers.finish(answer, end),
    },
    readFile: (input) => chats.api.readDocument(input),
    onSettled: watchCalls(traffic, log, toThresholdMs(settings.operations.slowRequestSeconds)),
  });
  const ownModels = createOwnModels({
    ...base,
    money: money.api,
    gateway: gateway.api,
    sharedModels,
    models: lookup.callableModels,
  });
  const accounts = createAccounts({
    ...base,
    ...createCookies(options, services, keys),
    secondFactorSealer: keys.secondFactorSealer,
    registrationSigner: keys.registrationSigner,
    recoveryCodePepper: keys.recoveryCodePepper,
    passwords: options.passwords,
    delaysGuesses: settings.server.rateLimits,
    createLimiter: services.createLimiter,
    money: money.api,
    mail,
    deliversMail,
    settings,
    endOrganization: async (organizationId, trx) => {
      await billing.cancellation.closeOrganization(organizationId, trx);
      await ownModels.api.deployments.deployments.deleteAll(organizationId, trx);
      await insight.api.usage.anonymizeOrganizationsUsage([organizationId], trx);
    },
    listKept: (user) => chats.api.listKept(user),
    anonymizeUser: async ({ userId, addresses }, trx) => {
      await insight.api.usage.anonymizeUserUsage(userId, trx);
      await redactMaker(userId, trx);
      for (const address of addresses) await redactAddress(address, trx);
    },
  });
  const chats = createChats({
    ...base,
    settings,
    conversationKeySealer: keys.conversationKeySealer,
    models: lookup.callableModels,
    registry,
    embedTexts: gateway.api.embedTexts,
  });
  const { version } = packageJson;
  const { allowsPasskeys: passkeys } = accounts.api.identity;
  const insight = createInsight({
    ...base,
    accounts: accounts.api,
    money: money.api,
    gateway: gateway.api,
    registry,
    mayCallElsewhere,
    settings,
    storageHealth,
    deliversMail,
    dataDir: options.dataDir,
    siteFolder: options.siteFolder,
    document: options.contract.document,
    config: { ...publicConfigOf(settings, services), version, passkeys },
    ...createSettingsPorts(options),
    readFreeBytes: () => (options.freeBytes ?? readFreeBytes)(options.dataDir),
    savedSettingsSealer: keys.savedSettingsSealer,
    sources: {
      version,
      replicas: options.replicas,
      traffic,
      machine: createMachineFigures({ ...options, peers, isOfThisMachine: createWorkerTest(settings.server) }),
      eventStreams: services.eventStreams,
      listBackends: catalogue.api.backends.listStates,
      hosting: sharedModels.modelHost,
      openPulls: sharedModels.modelHost.openPulls,
      jobs: services.jobStats,
      queries: options.queries,
      readPool: options.readPool,
      process: new ProcessMonitor(),
    },
  });
  const layers = [platform, money, hosting, catalogue, ownModels, accounts, chats, insight];
  return {
    modules: [...layers.flatMap(({ modules }): Module[] => modules), gateway],
    /** The handlers of calls from other replicas. */
    peerAnswers: [...hosting.peerAnswers, ...gateway.peerAnswers, ...insight.peerAnswers],
    events: base.events,
    api: {
      ...platform.api,
      ...money.api,
      ...accounts.api,
      ...ownModels.api,
      ...insight.api,
      backends: { ...catalogue.api.backends, registry },
      catalogue: lookup,
      routingRules,
      modelHost: sharedModels.modelHost,
      startFirstModel: sharedModels.startFirstModel,
      gateway: gateway.api,
      chats: chats.api,
    },
  };
}

/** Returns what the settings page of admins knows about this server. */
function createSettingsPorts({ settings, settingsPlace, engineSandbox, clock, restart }: CompleteOptions) {
  const settingsCatalog = createSettingsCatalog(settingsPlace);
  const running = {
    engineSandbox,
    startedAt: clock.now(),
    canRestart: restart !== null,
    savedAtStart: settingsPlace.saved,
    sourceOf: settingsCatalog.sourceOf,
  };
  return {
    settingsCatalog,
    restart,
    describeSettings: (saved: readonly SavedSetting[]) => describeSettings(settings, running, saved),
    translateText,
  };
}
