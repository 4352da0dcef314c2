import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { CreateLimiter } from "../../platform/core/http/limiter.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Identity, OnRegistered } from "../identity/index.ts";
import { createAdmission } from "./admission.ts";
import type { ApprovalUseCases } from "./approvals.usecases.ts";
import { createOpenInvitationsRepository } from "./open-invitations.repository.ts";
import { createPlatformInvitationUseCases } from "./platform-invitations.usecases.ts";
import { createRegistrationRoutes } from "./registration.routes.ts";
import type { RegistrationSettings } from "./registration.settings.ts";
import { createRegistrationUseCases } from "./registration.usecases.ts";
import { createUnconfirmedAccounts } from "./unconfirmed-accounts.ts";

export { createApprovalUseCases } from "./approvals.usecases.ts";

type Ports = {
  db: Database;
  createLimiter: CreateLimiter;
  identity: Identity;
  approvals: ApprovalUseCases;
  onRegistered: OnRegistered;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  limits: RateLimiter;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  publicUrl: string;
  productName: string;
  settings: RegistrationSettings;
};

/** What other modules use of registration. */
export type Registration = ReturnType<typeof createRegistrationModule>["api"];

/** Creates registration: who may create an account, invitations to the platform, and accounts that wait for approval. */
export function createRegistrationModule({ identity, settings, ...ports }: Ports) {
  const { db, clock } = ports;
  const { mode } = settings;
  const openInvitationsRepository = createOpenInvitationsRepository(db);
  const admission = createAdmission({ mode, openInvitationsRepository, clock });
  const unconfirmed = createUnconfirmedAccounts(db, clock);
  const shared = { ...ports, ...identity, mode, openInvitationsRepository, admission, unconfirmed };
  const registration = createRegistrationUseCases(shared);
  return {
    routes: createRegistrationRoutes({
      ...shared,
      registration,
      platformInvitations: createPlatformInvitationUseCases(shared),
    }),
    jobs: [unconfirmed.job],
    api: { registration, admission, openInvitationsRepository, unconfirmed },
  };
}
export type { Admission, RegistrationAdmission } from "./admission.ts";
export type { ApprovalUseCases } from "./approvals.usecases.ts";
export type { OpenInvitationsRepository } from "./open-invitations.repository.ts";
export type { RegistrationUseCases } from "./registration.usecases.ts";
export type { UnconfirmedAccounts } from "./unconfirmed-accounts.ts";
