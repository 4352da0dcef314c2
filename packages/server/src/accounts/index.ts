import type { Money } from "../money/index.ts";
import type { CreateLimiter } from "../platform/core/http/limiter.ts";
import type { Base } from "../platform/index.ts";
import type { Mail } from "../platform/mail/index.ts";
import { createApiKeysModule, createApiKeysRepository } from "./api-keys/index.ts";
import { createApplicationsModule } from "./applications/index.ts";
import { createIdentityModule } from "./identity/index.ts";
import { createAccessTokenAuthenticator, createOAuthModule, deleteUserGrants } from "./oauth/index.ts";
import { createOrganizationsModule } from "./organizations/index.ts";
import { createPeopleModule } from "./people/index.ts";
import { createApprovalUseCases, createRegistrationModule } from "./registration/index.ts";
import { createRouteRulesModule } from "./route-rules/index.ts";
import { createSignInProvidersModule } from "./sign-in-providers/index.ts";

type IdentityPorts = Parameters<typeof createIdentityModule>[0];
type Ports = Base &
  Pick<
    IdentityPorts,
    | "anonymizeUser"
    | "delaysGuesses"
    | "deviceCookie"
    | "endOrganization"
    | "listKept"
    | "passwords"
    | "recoveryCodePepper"
    | "registrationSigner"
    | "secondFactorSealer"
    | "sessionCookie"
  > & {
    money: Money;
    mail: Mail;
    /** Whether messages are sent by mail. */
    deliversMail: boolean;
    createLimiter: CreateLimiter;
    settings: Settings;
  };
type Settings = {
  identity: IdentityPorts["settings"];
  registration: Parameters<typeof createRegistrationModule>[0]["settings"];
  signInProviders: Parameters<typeof createSignInProvidersModule>[0]["settings"];
  applications: { review: boolean };
  gateway: { callsElsewhere: boolean };
};

/** Creates users, organizations and their credentials, and how people and programs sign in. */
export function createAccounts(ports: Ports) {
  const { money, mail, deliversMail, createLimiter, settings, ...identityPorts } = ports;
  const { recoveryCodePepper, secondFactorSealer, registrationSigner, ...base } = identityPorts;
  const { plansRepository, currentPlan, invalidatePlan } = money.plans;
  const { onRegistered } = money.referrals;
  const { billing } = money;
  const apiKeysRepository = createApiKeysRepository(base.db);
  const approvals = createApprovalUseCases({ ...base, mail });
  const identityModule = createIdentityModule({
    ...identityPorts,
    settings: settings.identity,
    mail,
    mustConfirmEmail: deliversMail,
    plansRepository,
    apiKeysRepository,
    ledger: money.ledger,
    credits: money.credits.credits,
    billing,
    authenticateAccessToken: createAccessTokenAuthenticator(base.db, base.clock),
    deleteUserGrants,
    onConfirmed: async ({ email, approval_requested_at }, trx) => {
      if (approval_requested_at) await approvals.notifyAdmins(email, trx);
    },
    onRegistered,
  });
  const identity = identityModule.api;
  const { invalidateApiKeys, toUserDto, usersRepository } = identity;
  const shared = { ...base, identity, mail, approvals, invalidateApiKeys, toUserDto };
  const registration = createRegistrationModule({
    ...shared,
    createLimiter,
    onRegistered,
    settings: settings.registration,
  });
  const signInProviders = createSignInProvidersModule({
    ...shared,
    registration: registration.api,
    onRegistered,
    settings: settings.signInProviders,
  });
  const apiKeys = createApiKeysModule({ ...shared, apiKeysRepository, plansRepository });
  const applications = createApplicationsModule({ ...shared, isReviewRequired: settings.applications.review });
  const { applicationsRepository } = applications.api;
  const oauth = createOAuthModule({ ...shared, applicationsRepository });
  const organizations = createOrganizationsModule({ ...shared, deliversMail, settings: settings.gateway });
  const people = createPeopleModule({ ...shared, billing, invalidatePlan });
  const routeRules = createRouteRulesModule({ ...base, usersRepository, currentPlan });
  return {
    modules: [
      identityModule,
      registration,
      signInProviders,
      apiKeys,
      applications,
      oauth,
      organizations,
      people,
      routeRules,
    ],
    api: {
      identity,
      apiKeys: { apiKeysRepository },
      organizations: organizations.api,
      registration: registration.api,
      routeRules: routeRules.api,
    },
  };
}

/** Accounts and credentials as other layers use them. */
export type Accounts = ReturnType<typeof createAccounts>["api"];
export type { ExportRow, ExportSection } from "./identity/index.ts";
