import { sql } from "kysely";
import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { LOCKS } from "../../../platform/core/db/locks.ts";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { Language } from "../../../platform/core/languages/languages.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../../platform/core/secrets/secrets.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import type { EmailVerificationUseCases } from "../account/email-verification.usecases.ts";
import { adminExists, emailTaken, invalidToken, refuseBlockedAccount } from "../auth.errors.ts";
import type { OneTimeTokens } from "../one-time-tokens.ts";
import { type PasswordHasher, refuseCommonPassword } from "../passwords/passwords.ts";
import type { SignInLog, SignInMethod } from "../sign-in-log.ts";
import type { UsersRepository } from "../users/users.repository.ts";
import type { SecondFactorChallenge, SecondFactorUseCases } from "./second-factor.usecases.ts";

/** A session expires after this time even if it is used. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** A session expires after this time without use. */
export const SESSION_IDLE_TIMEOUT_MS = 14 * DAY_MS;
const SETUP_TOKEN_TTL_MS = 60 * MINUTE_MS;

/**
 * The origin of a request, which is stored with sessions, and the language that it asks for; null if it asks for none of
 * ours.
 */
export type ClientInfo = { ip: string; userAgent: string | undefined; language: Language | null };
/** A new session. `secret` is the only copy of its token. */
export type StartedSession = { userId: string; secret: string; expiresAt: Date; passwordChangedAt: Date | null };
/** The result of a correct first factor: a session, or the challenge for the second factor. */
export type SignInResult = { session: StartedSession } | { secondFactorChallenge: SecondFactorChallenge };

type Deps = {
  passwords: PasswordHasher;
  usersRepository: UsersRepository;
  tokens: OneTimeTokens;
  verification: EmailVerificationUseCases;
  audit: Audit;
  signInLog: SignInLog;
  secondFactor: Pick<SecondFactorUseCases, "createChallenge">;
  clock: Clock;
  productName: string;
  ids: Ids;
  random?: RandomBytes;
};

/** Creates the use cases of sign-in and of setting up the first admin. */
export function createAuthUseCases(deps: Deps) {
  return bind(deps, {
    startSession,
    login: login,
    signIn,
    signInWithPasskey,
    ensureAdmin,
    issueSetupToken,
    isLinkUsable,
    setup: setUpAdmin,
  });
}

/** Signs users in and creates the first admin. */
export type AuthUseCases = ReturnType<typeof createAuthUseCases>;

async function startSession(
  deps: Deps,
  userId: string,
  clientInfo: ClientInfo,
  method: SignInMethod,
): Promise<StartedSession> {
  const { usersRepository, signInLog, clock, ids, random } = deps;
  const id = ids.next("ses");
  const secret = createSecret("ses", random);
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  await usersRepository.createSession({
    id,
    secretHash: hashSecret(secret),
    userId,
    expiresAt,
    now,
    ...clientInfo,
  });
  if (clientInfo.language !== null) await usersRepository.saveFirstLanguage(userId, clientInfo.language);
  const user = await usersRepository.findWithOrganization(userId);
  await signInLog.recordSignIn({ userId, organizationId: user?.organization_id ?? null }, id, clientInfo.ip, method);
  return { userId, secret, expiresAt, passwordChangedAt: user?.password_changed_at ?? null };
}

/** Returns whether the ownership of the account is unproven, because its registration waits for the link. */
function isUnconfirmed(
  { verification }: Deps,
  user: { awaiting_confirmation: boolean; email_verified_at: Date | null },
): boolean {
  return user.awaiting_confirmation || (verification.required && user.email_verified_at === null);
}

/**
 * Returns the user. Throws 401 for accounts that are suspended or wait for approval, and 403 if the address was never
 * confirmed.
 */
async function getActiveUser(deps: Deps, userId: string) {
  const { usersRepository } = deps;
  const user = await usersRepository.findWithOrganization(userId);
  if (!user) throw errors.unauthorized();
  if (isUnconfirmed(deps, user)) throw errors.emailNotVerified();
  refuseBlockedAccount(user);
  return user;
}

async function createAccount(
  deps: Deps,
  email: string,
  password: string,
  verified: boolean,
  isAdmin: boolean,
  claim?: (trx: Database) => Promise<void>,
) {
  const { passwords, usersRepository, clock, productName } = deps;
  refuseCommonPassword(password, email, [productName]);
  const name = email.slice(0, email.indexOf("@"));
  const account = {
    createdAt: clock.now(),
    email,
    username: toUsername(name),
    name,
    passwordHash: await passwords.hash(password),
    isAdmin,
    verifiedAt: verified ? clock.now() : null,
  };
  const created = await usersRepository.create(account, claim);
  if (created === null) throw emailTaken();
  return created;
}

/**
 * Runs in the transaction that creates the first admin. Throws if there is an admin or the link is invalid, and revokes all
 * links.
 */
async function claimFirstAdmin(deps: Deps, trx: Database, token?: string): Promise<void> {
  const { usersRepository, tokens } = deps;
  await sql`select pg_advisory_xact_lock(${LOCKS.firstAdmin})`.execute(trx);
  if (await usersRepository.hasAdmin(trx)) throw adminExists();
  if (token !== undefined && !(await tokens.consume(token, "setup", trx)))
    throw invalidToken("Start the server again for a new one.");
  await tokens.revokeAll("setup", trx);
}

async function login(deps: Deps, email: string, password: string, clientInfo: ClientInfo): Promise<SignInResult> {
  const { passwords, usersRepository, verification, signInLog } = deps;
  const user = await usersRepository.findByEmail(email);
  const isCorrect = await passwords.verify(password, user?.password_hash ?? null);
  const attempt = { userId: user?.id ?? null, email, ip: clientInfo.ip };
  if (!user || !isCorrect || isUnconfirmed(deps, user)) {
    await signInLog.recordFailedSignIn({ ...attempt, reason: "wrong_credentials" });
    throw wrongCredentials(verification.required);
  }
  if (user.suspended_at) await signInLog.recordFailedSignIn({ ...attempt, reason: "suspended" });
  return signIn(deps, user.id, clientInfo, "password");
}

/** Signs in a user who passed the first factor: returns a session, or the challenge for the second factor. */
async function signIn(
  deps: Deps,
  userId: string,
  clientInfo: ClientInfo,
  method: "password" | "link" | "provider",
): Promise<SignInResult> {
  const { secondFactor } = deps;
  const secondFactorChallenge = await secondFactor.createChallenge(await getActiveUser(deps, userId));
  return secondFactorChallenge === null
    ? { session: await startSession(deps, userId, clientInfo, method) }
    : { secondFactorChallenge };
}

/** Signs in with a passkey. The device has verified the user, so it counts as two factors. */
async function signInWithPasskey(deps: Deps, userId: string, clientInfo: ClientInfo): Promise<StartedSession> {
  await getActiveUser(deps, userId);
  return startSession(deps, userId, clientInfo, "passkey");
}

/** Creates the first admin from the settings. Does nothing if there is an admin. */
async function ensureAdmin(deps: Deps, email: string, password: string): Promise<void> {
  const { usersRepository, audit } = deps;
  if (await usersRepository.hasAdmin()) return;
  const created = await createAccount(deps, email, password, true, true, (trx) => claimFirstAdmin(deps, trx)).catch(
    async (error: unknown) => {
      if (await usersRepository.hasAdmin()) return null; // somebody used the link meanwhile
      throw error;
    },
  );
  if (created === null) return;
  const details = { from: "settings" };
  await audit.record({ action: "auth.setup", userId: null, target: created.userId, details });
}

/** Issues the token of the setup link and revokes earlier ones. Returns null if there is an admin. */
async function issueSetupToken({ usersRepository, tokens }: Deps): Promise<string | null> {
  if (await usersRepository.hasAdmin()) {
    await tokens.revokeAll("setup");
    return null;
  }
  return tokens.issue("setup", null, SETUP_TOKEN_TTL_MS);
}

/** Returns whether the token of a link is still valid. */
function isLinkUsable({ tokens }: Deps, token: string, purpose: "setup" | "password_reset"): Promise<boolean> {
  return tokens.isUsable(token, purpose);
}

/** Creates the first admin by the setup link. Of several concurrent calls, one succeeds. All fail if there is an admin. */
async function setUpAdmin(
  deps: Deps,
  token: string,
  email: string,
  password: string,
  clientInfo: ClientInfo,
): Promise<StartedSession> {
  const { usersRepository, audit, productName } = deps;
  if (await usersRepository.hasAdmin()) throw adminExists();
  refuseCommonPassword(password, email, [productName]);
  if (await usersRepository.findByEmail(email)) throw emailTaken();
  const created = await createAccount(deps, email, password, true, true, (trx) => claimFirstAdmin(deps, trx, token));
  await audit.record({
    action: "auth.setup",
    ...created,
    target: created.userId,
    ip: clientInfo.ip,
    details: { from: "link" },
  });
  return startSession(deps, created.userId, clientInfo, "setup");
}

/** Derives a username of at least three letters, digits, `_` and `-`. */
export function toUsername(name: string): string {
  const cleaned = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 24);
  return cleaned.length >= 3 ? cleaned : `user-${cleaned}`.replace(/-$/, "");
}

/**
 * Returns an error with status 401 that has the same message for unknown accounts, wrong passwords and unconfirmed
 * addresses.
 */
function wrongCredentials(confirmsByMail: boolean): AppError {
  const message = confirmsByMail
    ? "E-mail or password is wrong, or the address is not confirmed yet: then open the link in the message you were sent, or choose a new password."
    : "E-mail or password is wrong.";
  return errors.auth.wrongCredentials(message);
}
