import type { Billing } from "../../money/billing/index.ts";
import type { Credits } from "../../money/credits/index.ts";
import type { Ledger } from "../../money/ledger/index.ts";
import type { PlansRepository } from "../../money/plans/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer, Signer } from "../../platform/core/secrets/sealing.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { ApiKeysRepository } from "../api-keys/index.ts";
import { createAccountUseCases, type EndOrganization } from "./account/account.usecases.ts";
import { createDeletionPreview } from "./account/account-deletion-preview.ts";
import {
  createEmailVerificationUseCases,
  type OnConfirmed,
  type OnRegistered,
} from "./account/email-verification.usecases.ts";
import { createPasswordResetUseCases } from "./account/password-reset.usecases.ts";
import { createAccountRoutes } from "./account.routes.ts";
import { createAuthRoutes } from "./auth.routes.ts";
import type { Section } from "./export/export-sections.ts";
import type { IdentitySettings } from "./identity.settings.ts";
import { createOneTimeTokens } from "./one-time-tokens.ts";
import { createPasskeysRepository } from "./passkeys/passkeys.repository.ts";
import { createPasskeyUseCases } from "./passkeys/passkeys.usecases.ts";
import { createRelyingParty } from "./passkeys/relying-party.ts";
import { createPasskeyRoutes } from "./passkeys.routes.ts";
import type { PasswordHasher } from "./passwords/passwords.ts";
import { createReauthenticate, createReauthenticateUser } from "./passwords/reauthentication.ts";
import { createRecoveryCodes } from "./second-factors/recovery-codes.ts";
import { createSecondFactorChanges } from "./second-factors/second-factor-changes.ts";
import { createTotpUseCases } from "./second-factors/totp.usecases.ts";
import { createSecurityRoutes } from "./security.routes.ts";
import { createAccountDelays } from "./sessions/account-delays.ts";
import { createAuthUseCases } from "./sessions/auth.usecases.ts";
import { createAuthenticator } from "./sessions/authenticator.ts";
import { createEndedSessionsJob } from "./sessions/ended-sessions.jobs.ts";
import { createFailureCounts, deleteOldFailures } from "./sessions/failure-counts.ts";
import { createRegistrationStates } from "./sessions/registration-state.ts";
import { createSecondFactorUseCases } from "./sessions/second-factor.usecases.ts";
import { createSessionUseCases } from "./sessions/sessions.usecases.ts";
import { createSignInLog } from "./sign-in-log.ts";
import type { DeleteUserGrants } from "./users/revoke-credentials.ts";
import { createSecondFactorPolicy } from "./users/second-factor-policy.ts";
import { createToUserDto } from "./users/user.dto.ts";
import { createUsersRepository } from "./users/users.repository.ts";

type Ports = {
  db: Database;
  passwords: PasswordHasher;
  clock: Clock;
  ids: Ids;
  replicas: Replicas;
  /** Encrypts the secrets of authenticator apps. */
  secondFactorSealer: Sealer;
  /** Signs what a visitor carries through registration. */
  registrationSigner: Signer;
  /** The key under which recovery codes are hashed: the secret of the installation. */
  recoveryCodePepper: Uint8Array;
  publicUrl: string;
  productName: string;
  settings: IdentitySettings;
  mail: Mail;
  /** Whether e-mail addresses must be confirmed by a link, which requires that mail is delivered. */
  mustConfirmEmail: boolean;
  audit: Audit;
  events: Events;
  readLog: ReadLog;
  limits: RateLimiter;
  /** Whether wrong passwords delay the next attempt. */
  delaysGuesses: boolean;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  plansRepository: PlansRepository;
  apiKeysRepository: ApiKeysRepository;
  credits: Credits;
  ledger: Ledger;
  billing: Pick<Billing, "previewEndedPlan">;
  /** Authenticates an OAuth access token. Throws 401 if it is invalid. */
  authenticateAccessToken(secret: string): Promise<SignedInActor>;
  deleteUserGrants: DeleteUserGrants;
  /** Called in the transaction that confirms the e-mail address of a new account. */
  onConfirmed: OnConfirmed;
  /** Called when a new account is complete, to store who referred the user. */
  onRegistered: OnRegistered;
  endOrganization: EndOrganization;
  /** Returns what is kept of a user's chats and collections, as sections of the export: those that the scopes allow to read. */
  listKept(user: { userId: string; scopes: readonly string[] }): Section[];
  /** Removes a user's data from rows that are kept: messages in the outbox, and usage. */
  anonymizeUser(person: { userId: string; addresses: readonly string[] }, trx: Database): Promise<void>;
};

/** Accounts and sign-in as other modules use them. */
export type Identity = ReturnType<typeof createIdentityModule>["api"];

/** Creates accounts and all methods of signing in. */
export function createIdentityModule(ports: Ports) {
  const { db, clock, ids, publicUrl, settings, audit } = ports;
  const usersRepository = createUsersRepository(db, ids);
  const tokens = createOneTimeTokens(db, clock);
  const signInLog = createSignInLog(audit);
  const reauthenticate = createReauthenticate({ passwords: ports.passwords, db, clock, signInLog });
  const lacksSecondFactor = createSecondFactorPolicy(settings.requireSecondFactor);
  const authenticator = createAuthenticator({ ...ports, usersRepository, lacksSecondFactor });
  const base = {
    ...ports,
    usersRepository,
    tokens,
    signInLog,
    reauthenticate,
    lacksSecondFactor,
    invalidateApiKeys: authenticator.invalidateApiKeys,
    reauthenticateUser: createReauthenticateUser(usersRepository, reauthenticate),
    sessions: createSessionUseCases({ db, usersRepository, audit, clock }),
    toUserDto: createToUserDto(usersRepository, ports.plansRepository, lacksSecondFactor),
    verification: createEmailVerificationUseCases({
      ...ports,
      usersRepository,
      tokens,
      required: ports.mustConfirmEmail,
      invalidateApiKeys: authenticator.invalidateApiKeys,
    }),
    recoveryCodes: createRecoveryCodes({ pepper: ports.recoveryCodePepper, clock }),
    states: createRegistrationStates(ports.registrationSigner),
    accountDelays: createAccountDelays({
      clock,
      enabled: ports.delaysGuesses,
      failureCounts: createFailureCounts(ports),
    }),
  };
  const factors = createSecondFactors(base);
  const shared = { ...base, ...factors, auth: createAuthUseCases({ ...base, ...factors }) };
  const passwordReset = createPasswordResetUseCases(shared);
  const account = createAccountUseCases(shared);
  return {
    routes: {
      ...createAuthRoutes({ ...shared, passwordReset }),
      ...createSecurityRoutes({ ...shared, passwordReset }),
      ...createPasskeyRoutes({ ...shared, secureCookies: publicUrl.startsWith("https:") }),
      ...createAccountRoutes({ ...shared, account, previewDeletion: createDeletionPreview(ports) }),
    },
    jobs: [
      { name: "delete ended links", everySeconds: HOUR_S, run: async () => void (await tokens.deleteExpired()) },
      { name: "forget old wrong passwords", everySeconds: HOUR_S, run: () => deleteOldFailures(db, clock.now()) },
      createEndedSessionsJob(db, clock),
    ],
    api: {
      authenticate: authenticator.authenticate,
      invalidateApiKeys: authenticator.invalidateApiKeys,
      passwords: ports.passwords,
      usersRepository,
      auth: shared.auth,
      verification: base.verification,
      sessions: base.sessions,
      secondFactor: factors.secondFactor,
      passwordReset,
      signInLog,
      reauthenticate,
      states: base.states,
      toUserDto: base.toUserDto,
      /** Whether browsers allow passkeys at the server's address. */
      allowsPasskeys: factors.passkeys.isAvailable,
    },
  };
}

type FactorDeps = Omit<Parameters<typeof createTotpUseCases>[0], "sealer" | "changes"> &
  Omit<Parameters<typeof createSecondFactorChanges>[0], "recoveryCodes"> &
  Omit<Parameters<typeof createSecondFactorUseCases>[0], "totp" | "passkeys" | "changes"> &
  Pick<Ports, "db" | "ids" | "secondFactorSealer" | "publicUrl" | "productName">;

/** Creates the second factors: codes of an app, passkeys and recovery codes. */
function createSecondFactors(deps: FactorDeps) {
  const { db, secondFactorSealer: sealer, publicUrl, productName } = deps;
  const changes = createSecondFactorChanges(deps);
  const totp = createTotpUseCases({ ...deps, sealer, changes });
  const passkeys = createPasskeyUseCases({
    ...deps,
    passkeysRepository: createPasskeysRepository(db),
    changes,
    relyingParty: createRelyingParty(publicUrl, productName),
  });
  return { totp, passkeys, secondFactor: createSecondFactorUseCases({ ...deps, totp, passkeys, changes }) };
}

export type {
  EmailVerificationUseCases,
  OnRegistered,
  PendingRegistration,
} from "./account/email-verification.usecases.ts";
export { emailTaken } from "./auth.errors.ts";
export { REGISTRATION_COOKIE, sendSignInResult, toClientInfo } from "./auth.routes.ts";
export type { Row as ExportRow, Section as ExportSection } from "./export/export-sections.ts";
export { createPasswordHasher, type PasswordHasher, refuseCommonPassword } from "./passwords/passwords.ts";
export type { Reauthenticate } from "./passwords/reauthentication.ts";
export {
  type AuthUseCases,
  type ClientInfo,
  type SignInResult,
  type StartedSession,
  toUsername,
} from "./sessions/auth.usecases.ts";
export { createCompleteSignIn } from "./sessions/complete-sign-in.ts";
export {
  EMPTY_STATE,
  type RegistrationState,
  type RegistrationStates,
  sanitizeState,
} from "./sessions/registration-state.ts";
export type { SecondFactorUseCases } from "./sessions/second-factor.usecases.ts";
export type { SessionUseCases } from "./sessions/sessions.usecases.ts";
export type { SignInLog } from "./sign-in-log.ts";
export type { ToUserDto } from "./users/user.dto.ts";
export type { NewAccount, UsersRepository } from "./users/users.repository.ts";
export { HAS_PASSKEY } from "./users/users.repository.ts";
