import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { createBase, type ServerOptions } from "./assembly/base.ts";
import { createCallsArea } from "./assembly/calls.ts";
import { createModelsArea } from "./assembly/models.ts";
import { createMoneyArea } from "./assembly/money.ts";
import { createPeopleArea } from "./assembly/people.ts";
import type { SiteSettings } from "./config/site.settings.ts";
import { createSigner, SIGNING_PURPOSES } from "./core/sealing.ts";
import { createDeviceCookie } from "./http/device-cookie.ts";
import { createSessionCookie } from "./http/session-cookie.ts";
import { createAuditRepository } from "./modules/audit/audit.repository.ts";
import { createAccountUseCases } from "./modules/identity/account.usecases.ts";
import { createDeletionPreview } from "./modules/identity/account-deletion-preview.ts";
import { createOutboxCleanupJob } from "./modules/mail/outbox-cleanup.jobs.ts";
import { redactAddress } from "./modules/mail/redact-address.ts";
import { createPeopleUseCases } from "./modules/people/people.usecases.ts";
import { createRouteRulesRepository } from "./modules/route-rules/route-rules.repository.ts";
import { createRuleLookup } from "./modules/route-rules/rule-lookup.ts";
import type { Analytics } from "./modules/system/system.routes.ts";
import {
  anonymizeOrganizationsUsage,
  anonymizeUserUsage,
  createLateUsageJob,
} from "./modules/usage/anonymize-usage.ts";
import { createUsageRepository } from "./modules/usage/usage.repository.ts";

/** Everything the server is built from. */
export type Dependencies = ReturnType<typeof createDependencies>;

const SITE = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** Creates all dependencies of the server, area by area. */
export function createDependencies(options: ServerOptions) {
  const base = createBase(options);
  const people = createPeopleArea(base);
  const money = createMoneyArea(base);
  const models = createModelsArea(base, money);
  const calls = createCallsArea(base, money, models);
  const { db, clock, contract, settings, publicUrl, productName, planCache, tokens, idempotency } = base;
  const { reauthenticate, verification, invalidateApiKeys, linkedAccounts } = people;
  const isSecure = publicUrl.startsWith("https:");
  const routeRulesRepository = createRouteRulesRepository(db);
  const lifecycle = { starting: false, draining: false };
  return {
    ...base,
    ...people,
    ...money,
    ...models,
    ...calls,
    siteFolder: options.siteFolder ?? SITE,
    checkResponses: options.checkResponses ?? false,
    lifecycle,
    account: createAccountUseCases({
      ...base.shared,
      reauthenticate,
      verification,
      invalidateApiKeys,
      endOrganization: async (organizationId, trx) => {
        await money.billing.cancellation.closeOrganization(organizationId, trx);
        await calls.deploymentsModule.deployments.deleteAll(organizationId, trx);
        await anonymizeOrganizationsUsage([organizationId], trx);
      },
      anonymizeUser: async ({ userId, addresses }, trx) => {
        await anonymizeUserUsage(userId, trx);
        for (const address of addresses) await redactAddress(address, trx);
      },
    }),
    people: createPeopleUseCases({
      ...base.shared,
      peopleRepository: people.peopleRepository,
      reauthenticate,
      secondFactor: people.secondFactor,
      billing: money.billing,
      invalidatePlan: planCache.invalidate,
      invalidateApiKeys,
    }),
    previewDeletion: createDeletionPreview({ db, ...money }),
    currentPlan: planCache.current,
    invalidatePlan: planCache.invalidate,
    routeRulesRepository,
    rulesFor: createRuleLookup({
      routeRulesRepository,
      usersRepository: base.usersRepository,
      currentPlan: planCache.current,
    }),
    usageRepository: createUsageRepository(db),
    auditRepository: createAuditRepository(db),
    secureCookies: isSecure,
    sessionCookie: createSessionCookie(isSecure, settings.server.cookieDomain),
    deviceCookie: createDeviceCookie({
      signer: createSigner(base.secret, SIGNING_PURPOSES.deviceCookies),
      clock,
      secure: isSecure,
    }),
    jobs: [
      people.oauth.job,
      people.unconfirmed.job,
      base.denialLog.job,
      createOutboxCleanupJob(db, clock),
      createLateUsageJob(db, clock),
      { name: "send mail", everySeconds: 2, run: people.mailDelivery.run },
      {
        name: "forget ended links",
        everySeconds: 3_600,
        run: async () =>
          void (await Promise.all([tokens.deleteExpired(), linkedAccounts.deleteExpiredVisits(clock.now())])),
      },
      {
        name: "forget old idempotency keys",
        everySeconds: 3_600,
        run: async () => void (await idempotency.deleteExpired()),
      },
      money.reservations.job,
      ...money.billing.jobs,
      money.rewards.job,
      ...models.hosting.jobs,
      ...calls.deploymentsModule.jobs,
      calls.revokedKeysJob,
    ],
    system: {
      db,
      contract,
      productName,
      contact: {
        email: settings.site.contactEmail ?? null,
        communityUrl: settings.site.communityUrl ?? null,
      },
      version: packageJson.version,
      publicUrl,
      providers: settings.signInProviders.providers.map(({ id }) => id),
      passkeys: people.passkeys.isAvailable,
      registration: settings.registration.mode,
      analytics: analyticsOf(settings.site),
      payments: settings.billing.payments,
      marketplaces: settings.marketplace.mode,
      lifecycle,
      storageHealth: base.storageHealth,
    },
  };
}

function analyticsOf(settings: SiteSettings): Analytics | null {
  const { analyticsKey: key, analyticsHost: host, analyticsBeforeConsent: beforeConsent } = settings;
  return key === undefined ? null : { key, host, beforeConsent };
}
