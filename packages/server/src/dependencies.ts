import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { createBase, type Outside } from "./assembly/base.ts";
import { createCallsArea } from "./assembly/calls.ts";
import { createModelsArea } from "./assembly/models.ts";
import { createMoneyArea } from "./assembly/money.ts";
import { createPeopleArea } from "./assembly/people.ts";
import type { Settings } from "./config/settings.ts";
import { createDeviceCookie } from "./http/device-cookie.ts";
import { createSessionCookie } from "./http/session-cookie.ts";
import { createAuditRepository } from "./modules/audit/audit.repository.ts";
import { createDeletionPreview } from "./modules/identity/account.deletion.ts";
import { createAccount } from "./modules/identity/account.usecases.ts";
import { forgetAddress } from "./modules/mail/forget-address.ts";
import { createOutboxUpkeep } from "./modules/mail/outbox-upkeep.ts";
import { createPeople } from "./modules/people/people.usecases.ts";
import { createRouteRulesRepository } from "./modules/route-rules/route-rules.repository.ts";
import { createRuleLookup } from "./modules/route-rules/rule-lookup.ts";
import type { Analytics } from "./modules/system/system.routes.ts";
import { createLateUsage, forgetOrganizationsUsage, forgetUsersUsage } from "./modules/usage/forget-usage.ts";
import { createUsageRepository } from "./modules/usage/usage.repository.ts";
import { createSigner, SIGNING_PURPOSES } from "./shared/sealing.ts";

/** Everything the server is built from. */
export type Dependencies = ReturnType<typeof createDependencies>;

const SITE = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** Creates all dependencies of the server, area by area. */
export function createDependencies(outside: Outside) {
  const base = createBase(outside);
  const people = createPeopleArea(base);
  const money = createMoneyArea(base);
  const models = createModelsArea(base, money);
  const calls = createCallsArea(base, money, models);
  const { db, clock, contract, settings, publicUrl, productName, planCache, tokens, idempotency } = base;
  const { prove, verification, forgetKeys, linkedAccounts } = people;
  const isSecure = publicUrl.startsWith("https:");
  const routeRules = createRouteRulesRepository(db);
  const lifecycle = { starting: false, draining: false };
  return {
    ...base,
    ...people,
    ...money,
    ...models,
    ...calls,
    siteFolder: outside.siteFolder ?? SITE,
    checkResponses: outside.checkResponses ?? false,
    lifecycle,
    account: createAccount({
      ...base.told,
      prove,
      verification,
      forgetKeys,
      endOrganization: async (organizationId, trx) => {
        await money.billing.endings.endOrganization(organizationId, trx);
        await calls.privateCloud.deployments.endAll(organizationId, trx);
        await forgetOrganizationsUsage([organizationId], trx);
      },
      forgetPerson: async ({ userId, addresses }, trx) => {
        await forgetUsersUsage(userId, trx);
        for (const address of addresses) await forgetAddress(address, trx);
      },
    }),
    people: createPeople({
      ...base.told,
      people: people.peopleRepository,
      prove,
      secondFactor: people.secondFactor,
      billing: money.billing,
      forgetPlan: planCache.forget,
      forgetKeys,
    }),
    previewDeletion: createDeletionPreview({ db, ...money }),
    currentPlan: planCache.current,
    forgetPlan: planCache.forget,
    routeRules,
    rulesFor: createRuleLookup({ routeRules, identities: base.identities, currentPlan: planCache.current }),
    usageRows: createUsageRepository(db),
    auditRepository: createAuditRepository(db),
    secureCookies: isSecure,
    sessionCookie: createSessionCookie(isSecure, settings.FEATHER_COOKIE_DOMAIN),
    deviceCookie: createDeviceCookie({
      signer: createSigner(base.secret, SIGNING_PURPOSES.deviceCookies),
      clock,
      secure: isSecure,
    }),
    jobs: [
      people.oauth.job,
      people.unconfirmed.job,
      base.denials.job,
      createOutboxUpkeep(db, clock),
      createLateUsage(db, clock),
      { name: "send mail", everySeconds: 2, run: people.mailDelivery.run },
      {
        name: "forget ended links",
        everySeconds: 3_600,
        run: async () => void (await Promise.all([tokens.prune(), linkedAccounts.prune(clock.now())])),
      },
      { name: "forget old idempotency keys", everySeconds: 3_600, run: async () => void (await idempotency.prune()) },
      money.reservations.job,
      ...money.billing.jobs,
      money.rewards.job,
      ...models.hosting.jobs,
      ...calls.privateCloud.jobs,
      calls.endedKeysJob,
    ],
    system: {
      db,
      contract,
      productName,
      contact: {
        email: settings.FEATHER_CONTACT_EMAIL ?? null,
        communityUrl: settings.FEATHER_COMMUNITY_URL ?? null,
      },
      version: packageJson.version,
      publicUrl,
      providers: settings.FEATHER_SIGN_IN_PROVIDERS.map(({ id }) => id),
      passkeys: people.passkeys.isAvailable,
      registration: settings.FEATHER_REGISTRATION,
      analytics: analyticsOf(settings),
      payments: settings.FEATHER_PAYMENTS,
      marketplaces: settings.FEATHER_MARKETPLACES,
      lifecycle,
      storageHealth: base.storageHealth,
    },
  };
}

function analyticsOf(settings: Settings): Analytics | null {
  const { FEATHER_ANALYTICS_KEY: key, FEATHER_ANALYTICS_HOST: host } = settings;
  return key === undefined ? null : { key, host, beforeConsent: settings.FEATHER_ANALYTICS_BEFORE_CONSENT };
}
