import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { invalidToken, wrongPassword } from "../auth.errors.ts";
import type { OneTimeTokens } from "../one-time-tokens.ts";
import { type PasswordHasher, refuseCommonPassword } from "../passwords/passwords.ts";
import type { Reauthenticate } from "../passwords/reauthentication.ts";
import {
  type DeleteUserGrants,
  EVERYTHING,
  listRevoked,
  type RevocationScope,
  revokeCredentials,
} from "../users/revoke-credentials.ts";
import type { UsersRepository } from "../users/users.repository.ts";
import { passwordChangedMail, passwordResetMail } from "./account.mails.ts";
import type { OnConfirmed } from "./email-verification.usecases.ts";

const RESET_LINK_TTL_MS = HOUR_MS;
/** Minimum time between two messages to one account. */
const RESEND_DELAY_MS = MINUTE_MS;

type Deps = {
  passwords: PasswordHasher;
  db: Database;
  usersRepository: UsersRepository;
  tokens: OneTimeTokens;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  reauthenticate: Reauthenticate;
  onConfirmed: OnConfirmed;
  /** Whether messages are delivered, so that an opened link proves an address. */
  mustConfirmEmail: boolean;
  invalidateApiKeys(): void;
  deleteUserGrants: DeleteUserGrants;
  publicUrl: string;
  productName: string;
};

type PasswordResetRequest = { token: string; password: string; endKeys: boolean };
type PasswordChange = { currentPassword: string | undefined; password: string; endKeys: boolean };

type Initiator = { actor: SignedInActor } | { userId: string; ip: string };
type Account = { id: string; email: string };
type NewPassword = { hash: string; keptSessionId: string | null; scope: RevocationScope };

type Context = ReturnType<typeof createContext>;

/** Creates the use cases that reset and change passwords. */
export function createPasswordResetUseCases(deps: Deps) {
  const context = createContext(deps);
  return bind(context, {
    requestReset,
    settled: waitForRequests,
    reset: resetPassword,
    change: changePassword,
  });
}

/** Resets and changes passwords. */
export type PasswordResetUseCases = ReturnType<typeof createPasswordResetUseCases>;

/** Returns the dependencies with what is derived from them. */
function createContext(deps: Deps) {
  const pendingLinks = new Set<Promise<void>>();
  return { ...deps, pendingLinks };
}

async function storePassword(
  context: Context,
  initiator: Initiator,
  { id, email }: Account,
  { hash, keptSessionId, scope }: NewPassword,
  trx: Database,
) {
  const { usersRepository, mail, audit, clock, deleteUserGrants } = context;
  const now = clock.now();
  await trx
    .updateTable("users")
    .set({ password_hash: hash, password_changed_at: now, updated_at: now })
    .where("id", "=", id)
    .execute();
  await usersRepository.revokeOtherSessions(id, keptSessionId, now, trx);
  const revoked = await revokeCredentials(id, { scope, now, deleteUserGrants }, trx);
  await mail.send({ template: passwordChangedMail, values: listRevoked(revoked), to: email }, trx);
  const details = {
    applications: revoked.applications.length,
    keys: revoked.keys.length,
    ...(revoked.providers.length > 0 && { providers: revoked.providers }),
    ...(revoked.factors && { second_factor: "removed" }),
    ...(revoked.passkeys.length > 0 && { passkeys: revoked.passkeys.length }),
    ...(revoked.invitations.length > 0 && { invitations: revoked.invitations.length }),
  };
  await audit.record({ action: "account.change_password", ...initiator, target: id, details }, trx);
}

async function sendLink(context: Context, email: string): Promise<void> {
  const { db, usersRepository, tokens, mail, clock, publicUrl } = context;
  const account = await usersRepository.findByEmail(email);
  const user = account && (await usersRepository.findWithOrganization(account.id));
  if (!user || user.suspended_at) return;
  const last = await tokens.findLatest(user.id, "password_reset");
  if (last !== null && clock.now().getTime() - last.issuedAt.getTime() < RESEND_DELAY_MS) return;
  await db.transaction().execute(async (trx) => {
    const token = await tokens.issue("password_reset", user.id, RESET_LINK_TTL_MS, { email: user.email }, trx);
    const link = `${publicUrl}/reset-password?${new URLSearchParams({ token })}`;
    const providers = user.providers.length === 0 ? null : user.providers.join(", ");
    await mail.send({ template: passwordResetMail, values: { link, providers }, to: user.email }, trx);
  });
}

/**
 * Mails a link to an address that has an account, at most once a minute. Returns immediately, because the duration
 * would reveal whether there is an account. `onError` receives errors.
 */
function requestReset(context: Context, email: string, onError: (error: unknown) => void): void {
  const { pendingLinks } = context;
  const pending = sendLink(context, email)
    .catch(onError)
    .finally(() => pendingLinks.delete(pending));
  pendingLinks.add(pending);
}

/** Resolves when all pending links are sent. */
async function waitForRequests({ pendingLinks }: Context) {
  return void (await Promise.all(pendingLinks));
}

/**
 * Sets the password with the token of a link and returns the id of the user. Ends what was there before: sessions, links,
 * linked providers, grants of applications, invitations that the user sent and, with `endKeys`, API keys and deployment
 * tokens. Second factors stay, but passkeys no longer sign in alone. If the link is the first proof that the address
 * belongs to the account, keys and second factors end in any case.
 */
async function resetPassword(
  context: Context,
  { token, password, endKeys }: PasswordResetRequest,
  ip: string,
): Promise<string> {
  const { passwords, db, tokens, clock, onConfirmed, mustConfirmEmail, invalidateApiKeys, productName } = context;
  const hash = await passwords.hash(password);
  const userId = await db.transaction().execute(async (trx) => {
    const usedToken = await tokens.consume(token, "password_reset", trx);
    const user =
      usedToken?.userId &&
      (await trx.selectFrom("users").selectAll().where("id", "=", usedToken.userId).forUpdate().executeTakeFirst());
    // The user may have changed the address since the link was sent.
    if (!user || user.suspended_at || user.email !== usedToken.data.email) throw invalidToken("Ask for a new one.");
    refuseCommonPassword(password, user.email, [productName, user.username, user.name]);
    const isFirstProof = user.email_verified_at === null || (user.email_assumed && mustConfirmEmail);
    // Somebody else may have created an account with an unconfirmed address, so all of its credentials end.
    const scope: RevocationScope = isFirstProof
      ? EVERYTHING
      : { keys: endKeys ? "all" : "none", providers: true, factors: "second only", invitations: true };
    await storePassword(context, { userId: user.id, ip }, user, { hash, keptSessionId: null, scope }, trx);
    // Opening the link proves that the address belongs to the user.
    if (isFirstProof)
      await trx
        .updateTable("users")
        .set({ email_verified_at: clock.now(), email_assumed: false, awaiting_confirmation: false })
        .where("id", "=", user.id)
        .execute();
    if (user.awaiting_confirmation) await onConfirmed(user, trx);
    return user.id;
  });
  invalidateApiKeys();
  return userId;
}

/** Changes the password, or sets the first one, after reauthentication. Revokes all other sessions. */
async function changePassword(
  context: Context,
  actor: SignedInActor,
  { currentPassword, password, endKeys }: PasswordChange,
): Promise<void> {
  const { passwords, db, usersRepository, reauthenticate, invalidateApiKeys, productName } = context;
  const { userId, credential } = actor;
  const user = await usersRepository.findWithOrganization(userId);
  if (!user) throw wrongPassword();
  await reauthenticate(actor, { hash: user.password_hash, password: currentPassword, field: "current_password" });
  refuseCommonPassword(password, user.email, [productName, user.username, user.name]);
  const hash = await passwords.hash(password);
  const keptSessionId = credential.type === "session" ? credential.id : null;
  const keys = endKeys ? "recent" : "none";
  const scope: RevocationScope = { keys, providers: false, factors: "stay", invitations: false };
  await db.transaction().execute((trx) => storePassword(context, { actor }, user, { hash, keptSessionId, scope }, trx));
  invalidateApiKeys();
}
