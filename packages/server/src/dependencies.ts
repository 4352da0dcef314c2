import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import packageJson from "../package.json" with { type: "json" };
import type { Settings } from "./config/settings.ts";
import type { Database } from "./db/connect.ts";
import { engineStarter, type StartEngine } from "./engine/engine-process.ts";
import { createDiscovery } from "./gateway/backends/discovery.ts";
import { createBackendRegistry } from "./gateway/backends/registry.ts";
import { createPipeline } from "./gateway/pipeline.ts";
import { createPreflight } from "./gateway/preflight.ts";
import { createRunningCalls } from "./gateway/running-calls.ts";
import { createCreditsStage } from "./gateway/stages/credits.ts";
import { createDailyLimit } from "./gateway/stages/daily-limit.ts";
import { createServing } from "./gateway/stages/serving.ts";
import { createModelSwitches } from "./gateway/stages/switches.ts";
import { createTokenizer } from "./gateway/tokenizer.ts";
import { createUnits } from "./gateway/units.ts";
import { createUsageWriter } from "./gateway/usage-writer.ts";
import { createAddressLimits } from "./http/address-limits.ts";
import { loadContract } from "./http/contract.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createSessionCookie } from "./http/session-cookie.ts";
import { createApiKeysRepository } from "./modules/api-keys/api-keys.repository.ts";
import { createApiKeys } from "./modules/api-keys/api-keys.usecases.ts";
import { createApplicationsRepository } from "./modules/applications/applications.repository.ts";
import { createApplications } from "./modules/applications/applications.usecases.ts";
import { createAuditRepository } from "./modules/audit/audit.repository.ts";
import { createAudit } from "./modules/audit/audit.ts";
import { createBackendsRepository } from "./modules/backends/backends.repository.ts";
import { createBackends, storedBackends } from "./modules/backends/backends.usecases.ts";
import { createBillingRepository } from "./modules/billing/billing.repository.ts";
import { createBilling } from "./modules/billing/billing.ts";
import { createAdminModels } from "./modules/catalogue/admin-models.usecases.ts";
import { createAdoption } from "./modules/catalogue/adoption.ts";
import { createCallableModels } from "./modules/catalogue/callable-models.ts";
import { createPresenter } from "./modules/catalogue/catalogue.present.ts";
import { createCatalogueRepository } from "./modules/catalogue/catalogue.repository.ts";
import { createCatalogue } from "./modules/catalogue/catalogue.usecases.ts";
import { createLiveModels } from "./modules/catalogue/live-models.ts";
import { createModelAccess } from "./modules/catalogue/model-access.usecases.ts";
import { createModelIntake } from "./modules/catalogue/model-intake.ts";
import { createModelsRepository } from "./modules/catalogue/models.repository.ts";
import { createOverviewsRepository } from "./modules/catalogue/overviews.repository.ts";
import { createReviewsRepository } from "./modules/catalogue/reviews.repository.ts";
import { createReviews } from "./modules/catalogue/reviews.usecases.ts";
import { createSearchReader } from "./modules/catalogue/search.ts";
import { createCreditsRepository } from "./modules/credits/credits.repository.ts";
import { createCredits } from "./modules/credits/credits.ts";
import { createReservations } from "./modules/credits/reservations.ts";
import { createSettlement } from "./modules/credits/settlement.ts";
import { createLocalProvider } from "./modules/deployments/local-provider.ts";
import { createPrivateCloud } from "./modules/deployments/private-cloud.ts";
import { createHub } from "./modules/hub/create-hub.ts";
import { createAccount } from "./modules/identity/account.usecases.ts";
import { createAuthenticator } from "./modules/identity/authenticator.ts";
import { createEmailVerification } from "./modules/identity/email-verification.ts";
import { createIdentityRepository } from "./modules/identity/identity.repository.ts";
import { createIdentity } from "./modules/identity/identity.usecases.ts";
import { createOneTimeTokens } from "./modules/identity/one-time-tokens.ts";
import { createPasswordReset } from "./modules/identity/password-reset.ts";
import { createProof } from "./modules/identity/proof.ts";
import { createRegistrationStates } from "./modules/identity/registration-state.ts";
import { createSessions } from "./modules/identity/sessions.usecases.ts";
import { createSignInLog } from "./modules/identity/sign-in-log.ts";
import { createTotp } from "./modules/identity/totp.ts";
import { createUserPresenter } from "./modules/identity/user.present.ts";
import { createLedger } from "./modules/ledger/ledger.ts";
import { createMailDelivery, smtpTransport } from "./modules/mail/delivery.ts";
import { createMail } from "./modules/mail/mail.ts";
import { createMarketplace } from "./modules/marketplace/marketplace.ts";
import { testMarketplace } from "./modules/marketplace/test-marketplace.ts";
import { createHosting } from "./modules/model-host/hosting.ts";
import type { FreeBytes } from "./modules/model-store/store-folder.ts";
import { createAccessTokens } from "./modules/oauth/access-tokens.ts";
import { createOAuth } from "./modules/oauth/oauth.ts";
import { createInvitationsRepository } from "./modules/organizations/invitations.repository.ts";
import { createInvitations } from "./modules/organizations/invitations.usecases.ts";
import { createOrganizationsRepository } from "./modules/organizations/organizations.repository.ts";
import { createOrganizations } from "./modules/organizations/organizations.usecases.ts";
import { createImpersonation } from "./modules/people/impersonation.ts";
import { createPeopleRepository } from "./modules/people/people.repository.ts";
import { createPeople } from "./modules/people/people.usecases.ts";
import { createGrantPlan } from "./modules/people/plan-grants.ts";
import { createPlanCache } from "./modules/plans/plan-cache.ts";
import { createPlansRepository, unitsOf } from "./modules/plans/plans.repository.ts";
import { createPlanAdministration } from "./modules/plans/plans.usecases.ts";
import { costOf } from "./modules/prices/cost.ts";
import { createPriceBook } from "./modules/prices/price-book.ts";
import { createPricesRepository } from "./modules/prices/prices.repository.ts";
import { createPrivateModelsRepository } from "./modules/private-models/private-models.repository.ts";
import { createPrivateModels } from "./modules/private-models/private-models.usecases.ts";
import { createPayouts } from "./modules/referrals/payouts.ts";
import { createReferrals } from "./modules/referrals/referrals.ts";
import { createRewards } from "./modules/referrals/rewards.ts";
import { createRouteRulesRepository } from "./modules/route-rules/route-rules.repository.ts";
import { createLinkedAccountsRepository } from "./modules/sign-in-providers/linked-accounts.repository.ts";
import { createProviders } from "./modules/sign-in-providers/providers.ts";
import { createProviderSignIn } from "./modules/sign-in-providers/sign-in.usecases.ts";
import type { Analytics } from "./modules/system/system.routes.ts";
import { createRefusals } from "./modules/usage/refusals.ts";
import { createUsageRepository } from "./modules/usage/usage.repository.ts";
import { type Clock, systemClock } from "./shared/clock.ts";
import { type Ids, randomIds } from "./shared/ids.ts";
import { createOutgoing } from "./shared/outgoing.ts";
import { createSealer } from "./shared/sealing.ts";

export type Outside = {
  db: Database;
  settings: Settings;
  log: Logger;
  clock?: Clock;
  ids?: Ids;
  /** The secret of the installation; one of its own for this process where none is given. */
  secret?: Uint8Array;
  siteFolder?: string;
  checkResponses?: boolean;
  /** How models are run; by default in processes of their own. */
  startEngine?: StartEngine;
  /** How much room there is on the disk of a folder. */
  freeBytes?: FreeBytes;
};

export type Dependencies = ReturnType<typeof createDependencies>;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SITE = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** The one list of what is made of what. */
export function createDependencies({
  db,
  settings,
  log,
  clock = systemClock,
  ids = randomIds,
  secret = randomBytes(32),
  siteFolder = SITE,
  checkResponses = false,
  startEngine = engineStarter(log),
  freeBytes,
}: Outside) {
  const contract = loadContract();
  const publicUrl =
    settings.FEATHER_PUBLIC_URL ??
    `http://${settings.FEATHER_HOST === "127.0.0.1" ? "localhost" : settings.FEATHER_HOST}:${settings.FEATHER_PORT}`;
  const lifecycle = { draining: false };

  const idempotency = createIdempotency(db, clock);
  const mail = createMail(db, clock, ids, settings.SMTP_URL === undefined ? log : null);
  const audit = createAudit(db, clock, ids);

  const plans = createPlansRepository(db);
  const planCache = createPlanCache(plans);
  const keys = createApiKeysRepository(db);
  const identities = createIdentityRepository(db, ids);
  const presentUser = createUserPresenter(identities, plans);
  const productName = settings.FEATHER_PRODUCT_NAME;
  const tokens = createOneTimeTokens(db, clock);
  const told = { db, identity: identities, tokens, mail, audit, clock, publicUrl, productName };
  const prove = createProof(db, clock);
  const verification = createEmailVerification({ ...told, required: settings.SMTP_URL !== undefined });
  const referrals = createReferrals({ db, audit, clock, log, publicUrl });
  const { onRegistered } = referrals;
  const signInLog = createSignInLog(audit);
  const identity = createIdentity({ ...told, verification, onRegistered, signInLog, ids });
  const totp = createTotp({ ...told, sealer: createSealer(secret, "second factors"), pepper: secret });
  const linkedAccounts = createLinkedAccountsRepository(db);
  const providerSignIn = createProviderSignIn({
    ...told,
    providers: createProviders(settings.FEATHER_SIGN_IN_PROVIDERS),
    linked: linkedAccounts,
    identity,
    identities,
    verification,
    onRegistered,
  });
  const mailDelivery = createMailDelivery({
    db,
    clock,
    log,
    transport: settings.SMTP_URL === undefined ? null : smtpTransport(settings.SMTP_URL),
    from: settings.FEATHER_MAIL_FROM,
  });
  const byAccessToken = createAccessTokens(db, clock);
  const authenticator = createAuthenticator({ identity: identities, keys, clock, byAccessToken });
  const { forgetKeys } = authenticator;
  const applicationRows = createApplicationsRepository(db);
  const oauth = createOAuth({ db, applications: applicationRows, audit, clock, ids, publicUrl });
  const organizationsRepository = createOrganizationsRepository(db, ids);
  const invitationsRepository = createInvitationsRepository(db);
  const membership = { db, organizations: organizationsRepository, audit, clock, forgetKeys };
  const peopleRepository = createPeopleRepository(db);
  const grantPlan = createGrantPlan(clock, ids);
  const limits = createAddressLimits(settings.FEATHER_RATE_LIMITS);

  const outgoing = createOutgoing({ allow: settings.FEATHER_OUTGOING_ALLOW });
  const hub = createHub(settings);

  const registry = createBackendRegistry(clock, outgoing.connect);
  const catalogue = createCatalogueRepository(db);
  const models = createCallableModels(db);
  const adopt = createAdoption(db, models.forget);
  const storedKeys = createSealer(secret, "backend keys");
  const backendRows = createBackendsRepository(db);
  const discovery = createDiscovery({
    registry,
    adopt,
    clock,
    stored: () => storedBackends(backendRows, storedKeys),
    settings: settings.FEATHER_BACKENDS,
    discover: settings.FEATHER_DISCOVER,
    ownPort: settings.FEATHER_PORT,
    guarded: outgoing.dispatcher,
  });

  const backends = createBackends({
    backends: backendRows,
    registry,
    discovery,
    settings: settings.FEATHER_BACKENDS,
    sealer: storedKeys,
    outgoing,
    clock,
    ids,
  });

  const hosting = createHosting({
    db,
    settings,
    dataDir: resolve(ROOT, settings.FEATHER_DATA_DIR),
    hub,
    registry,
    adopt,
    startEngine,
    sealer: createSealer(secret, "hub tokens"),
    clock,
    ids,
    log,
    ...(freeBytes && { freeBytes }),
  });
  const liveModels = createLiveModels(registry, hosting.host);

  const units = createUnits(clock);
  const ledger = createLedger(db, clock, ids);
  const credits = createCredits(db, ledger);
  const reservations = createReservations(db, clock);
  const rewardTerms = {
    creditsNano: BigInt(Math.round(settings.FEATHER_REFERRAL_CREDITS * 100)) * 10_000_000n,
    percent: settings.FEATHER_REFERRAL_PERCENT,
  };
  const rewards = createRewards({ db, ledger, credits, clock, ids, terms: rewardTerms });
  const billing = createBilling({
    ...told,
    ledger,
    credits,
    ids,
    log,
    settings,
    secret,
    events: rewards.events,
    forgetPlan: planCache.forget,
  });
  const prices = createPricesRepository(db);
  const priceBook = createPriceBook(prices, clock);
  const search = createSearchReader(db);
  const modelRows = createModelsRepository(db);
  const intake = createModelIntake({ db, hub, clock });
  const cataloguing = {
    db,
    catalogue,
    models: modelRows,
    intake,
    live: liveModels,
    callableModels: models,
    audit,
    clock,
  };
  const reviewRows = createReviewsRepository(db);
  const usage = createUsageWriter(db, log, createSettlement(ledger, reservations, clock));
  const refusals = createRefusals(db, clock, log);
  const running = createRunningCalls();
  const serving = createServing({
    registry,
    modelHost: hosting.host,
    clock,
    coldStatus: settings.FEATHER_COLD_STATUS,
  });
  const timeouts = {
    firstByteMs: settings.FEATHER_FIRST_BYTE_TIMEOUT * 1000,
    idleMs: settings.FEATHER_STREAM_IDLE_TIMEOUT * 1000,
    keepAliveMs: settings.FEATHER_STREAM_KEEP_ALIVE * 1000,
    stalledMs: settings.FEATHER_STALLED_TIMEOUT * 1000,
  };
  const { memory, findFor } = hosting;
  const privateCloud = createPrivateCloud({
    db,
    places: [createLocalProvider({ start: startEngine, memory, findModel: findFor, clock })],
    models,
    plans,
    currentPlan: planCache.current,
    audit,
    running,
    usage,
    timeouts,
    coldStatus: settings.FEATHER_COLD_STATUS,
    clock,
    ids,
    log,
  });
  const pipeline = createPipeline({
    clock,
    serving,
    models,
    currentPlan: planCache.current,
    unitsOf,
    registry,
    units,
    refused: refusals.add,
    switches: createModelSwitches(clock),
    daily: createDailyLimit(db, clock),
    credits: createCreditsStage(priceBook, reservations),
    usage,
    timeouts,
  });

  return {
    settings,
    log,
    clock,
    ids,
    db,
    contract,
    publicUrl,
    siteFolder,
    checkResponses,
    lifecycle,
    idempotency,
    mail,
    audit,
    ledger,
    credits,
    creditRows: createCreditsRepository(db),
    reservations,
    prices,
    priceBook,
    plans,
    planAdministration: createPlanAdministration({ db, audit, forgetPlans: planCache.forgetAll }),
    billing,
    referrals,
    payouts: createPayouts({ db, ledger, audit, clock, ids, terms: rewardTerms, isTest: billing.isTest }),
    marketplace: createMarketplace({
      db,
      billing: createBillingRepository(db),
      driver: testMarketplace,
      grantPlan,
      audit,
      clock,
      ids,
      forgetPlan: planCache.forget,
    }),
    keys,
    identities,
    identity,
    sessions: createSessions({ ...told }),
    signInLog,
    states: createRegistrationStates(secret),
    verification,
    passwordReset: createPasswordReset({ ...told, prove }),
    totp,
    account: createAccount({
      ...told,
      prove,
      verification,
      forgetKeys,
      endOrganization: async (organizationId, trx) => {
        await billing.endings.endOrganization(organizationId, trx);
        await privateCloud.deployments.endAll(organizationId, trx);
      },
    }),
    applicationRows,
    applications: createApplications({
      ...told,
      applications: applicationRows,
      ids,
      review: settings.FEATHER_APPLICATION_REVIEW,
    }),
    oauth,
    providerSignIn,
    mailDelivery,
    authenticator,
    limits,
    outgoing,
    hub,
    registry,
    catalogue,
    catalogueOf: createCatalogue({ catalogue, search, live: liveModels, currentPlan: planCache.current, clock }),
    overviews: createOverviewsRepository(db),
    liveModels,
    modelRows,
    modelAccess: createModelAccess({
      ...cataloguing,
      hub,
      limits,
      sealer: settings.FEATHER_HUB_TOKENS === "keep" ? createSealer(secret, "hub tokens") : null,
    }),
    adminModels: createAdminModels(cataloguing),
    reviewRows,
    reviews: createReviews({ db, reviews: reviewRows, audit, clock, ids }),
    present: createPresenter(liveModels, priceBook, clock),
    discovery,
    backends,
    hosting,
    modelStore: hosting.modelStore,
    privateCloud,
    privateModels: createPrivateModels({
      db,
      privateModels: createPrivateModelsRepository(db),
      hub,
      hosting,
      plans,
      deploymentsOf: privateCloud.rows.countOfModel,
      forgetModels: models.forget,
      audit,
      clock,
    }),
    routeRules: createRouteRulesRepository(db),
    usageRows: createUsageRepository(db),
    units,
    usage,
    refusals,
    pipeline,
    running,
    serving,
    callableModels: models,
    tokenizer: createTokenizer({ models, registry, currentPlan: planCache.current }),
    preflight: createPreflight({
      models,
      registry,
      modelHost: hosting.host,
      units,
      currentPlan: planCache.current,
      unitsOf,
      priceOf: async (model, tokens) => {
        const price = await priceBook.of(model);
        return price && costOf(price, { ...tokens, images: 0 });
      },
      creditsOf: async (organizationId) => (await credits.balance(organizationId)).available,
    }),
    unitsOf,
    currentPlan: planCache.current,
    forgetPlan: planCache.forget,
    forgetKeys,
    apiKeys: createApiKeys({ db, keys, plans, audit, clock, ids, forgetKeys }),
    auditRepository: createAuditRepository(db),
    organizationsRepository,
    invitationsRepository,
    organizations: createOrganizations(membership),
    invitations: createInvitations({
      ...membership,
      invitations: invitationsRepository,
      mail,
      ids,
      publicUrl,
      productName: settings.FEATHER_PRODUCT_NAME,
    }),
    peopleRepository,
    people: createPeople({
      db,
      people: peopleRepository,
      audit,
      clock,
      grantPlan,
      forgetPlan: planCache.forget,
      forgetKeys,
    }),
    impersonation: createImpersonation({ db, audit, clock, ids }),
    presentUser,
    secureCookies: publicUrl.startsWith("https:"),
    sessionCookie: createSessionCookie(publicUrl.startsWith("https:")),
    jobs: [
      oauth.job,
      { name: "send mail", everySeconds: 2, run: mailDelivery.run },
      {
        name: "forget ended links",
        everySeconds: 3_600,
        run: async () => void (await Promise.all([tokens.prune(), linkedAccounts.prune(clock.now())])),
      },
      { name: "forget old idempotency keys", everySeconds: 3_600, run: async () => void (await idempotency.prune()) },
      reservations.job,
      ...billing.jobs,
      rewards.job,
      ...hosting.jobs,
      ...privateCloud.jobs,
    ],
    system: {
      db,
      contract,
      productName: settings.FEATHER_PRODUCT_NAME,
      version: packageJson.version,
      publicUrl,
      providers: settings.FEATHER_SIGN_IN_PROVIDERS.map(({ id }) => id),
      analytics: analyticsOf(settings),
      draining: () => lifecycle.draining,
    },
  };
}

function analyticsOf(settings: Settings): Analytics | null {
  const { FEATHER_ANALYTICS_KEY: key, FEATHER_ANALYTICS_HOST: host } = settings;
  return key === undefined ? null : { key, host, beforeConsent: settings.FEATHER_ANALYTICS_BEFORE_CONSENT };
}
