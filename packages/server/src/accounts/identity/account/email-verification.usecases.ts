import type { Audit } from "../../../platform/core/audit.ts";
import { type Actor, impersonatorOf } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { isUniqueViolation } from "../../../platform/core/db/errors.ts";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import { hashSecret } from "../../../platform/core/secrets/secrets.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { emailTaken, invalidToken, wrongPassword } from "../auth.errors.ts";
import type { OneTimeTokens, TokenData } from "../one-time-tokens.ts";
import type { PasswordHasher } from "../passwords/passwords.ts";
import {
  type DeleteUserGrants,
  EVERYTHING,
  type RevokedCredentials,
  revokeCredentials,
} from "../users/revoke-credentials.ts";
import type { UsersRepository } from "../users/users.repository.ts";
import {
  addressConfirmationMail,
  addressInUseMail,
  emailChangedMail,
  registrationConfirmationMail,
} from "./account.mails.ts";

const RESEND_DELAY_MS = MINUTE_MS;
const LINK_TTL_MS = HOUR_MS;
/** The number of passwords that may be tried with one link, and with all links of an account within an hour. */
const ATTEMPT_LIMITS = { perToken: 10, perHour: 100 };

type Deps = {
  db: Database;
  usersRepository: UsersRepository;
  passwords: PasswordHasher;
  tokens: OneTimeTokens;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  publicUrl: string;
  /** Whether new addresses must be confirmed, which requires a mail server. */
  required: boolean;
  onConfirmed: OnConfirmed;
  onRegistered: OnRegistered;
  deleteUserGrants: DeleteUserGrants;
  invalidateApiKeys(): void;
};
/** Called when a new account is complete, to store who referred the user. */
export type OnRegistered = (
  account: { userId: string },
  registrationContext: { referrer: string | null; ip: string },
) => Promise<void>;
/** Called in the transaction that confirms the address of a new account. */
export type OnConfirmed = (user: { email: string; approval_requested_at: Date | null }, trx: Database) => Promise<void>;

/** The account at a provider that is registered, and the secret of the browser that was used. */
export type ProviderRegistration = {
  account: { id: string; subject: string; email: string | null; name: string | null };
  providerName: string;
  browserSecret: string;
};
/** The data of a registration. It takes effect when the link is opened. */
export type PendingRegistration = {
  email: string;
  /** The name of the account; by default the part of the address before the `@`. */
  name?: string;
  returnTo: string | null;
  referrer: string | null;
  /** The address of the request, which the message contains. */
  ip: string;
  by: { passwordHash: string } | ProviderRegistration;
};

/** The data that comes with a link and can prove that the person who opens it has requested it. */
export type LinkProof = { actor: Actor; password: string | undefined; browserSecret: string | undefined };
/** What a link requires: the password, the browser of the registration, or a session or the password of the account. */
export type RequiredProof = "password" | "browser" | "account";

/** Creates the use cases that confirm e-mail addresses by a link. */
export function createEmailVerificationUseCases(deps: Deps) {
  return {
    ...bind(deps, {
      isTaken,
      sendRegistration,
      sendToNewAddress,
      refuseBeforeDelay,
      resend: resendVerification,
      findRequiredProof,
      verify: verifyEmail,
      confirmExisting,
    }),
    required: deps.required,
  };
}

export type EmailVerificationUseCases = ReturnType<typeof createEmailVerificationUseCases>;

/** Mails the link that completes a registration. Links of other registrations of the address stay valid. */
async function sendRegistration(
  deps: Deps,
  userId: string,
  { email, name, returnTo, referrer, ip, by }: PendingRegistration,
): Promise<void> {
  const { db, tokens, mail, clock, publicUrl } = deps;
  const isByProvider = "account" in by;
  const data: TokenData = {
    email,
    ...(name !== undefined && { name }),
    ...(returnTo !== null && { returnTo }),
    ...(referrer !== null && { referrer }),
    ...(isByProvider
      ? { provider: by.account, boundTo: hashSecret(by.browserSecret).toString("base64url") }
      : { passwordHash: by.passwordHash }),
  };
  const providerAccount = isByProvider ? by.account.name : null;
  await db.transaction().execute(async (trx) => {
    const token = await tokens.issue("registration", userId, LINK_TTL_MS, data, trx);
    const query = new URLSearchParams({ token, ...(returnTo !== null && { returnTo }) });
    const values = {
      link: `${publicUrl}/confirm-email?${query}`,
      provider: isByProvider ? by.providerName : null,
      provider_account: providerAccount === null ? null : toOneLine(providerAccount),
      time: formatTime(clock.now()),
      ip,
    };
    await mail.send({ template: registrationConfirmationMail, values, to: email }, trx);
  });
}

async function sendVerification(deps: Deps, userId: string, email: string, trx: Database = deps.db): Promise<void> {
  const { tokens, mail, clock, publicUrl } = deps;
  const token = await tokens.issue("email_verification", userId, LINK_TTL_MS, { email }, trx);
  const link = `${publicUrl}/confirm-email?${new URLSearchParams({ token })}`;
  const values = { link, time: formatTime(clock.now()) };
  await mail.send({ template: addressConfirmationMail, values, to: email, fallback: { userId } }, trx);
}

async function isTaken(deps: Deps, email: string, userId: string): Promise<boolean> {
  const { usersRepository } = deps;
  const owner = await usersRepository.findByEmail(email);
  return owner !== undefined && owner.id !== userId;
}

/** Sends a link to a new address of the user. If the address has an account, it gets a notice instead. */
async function sendToNewAddress(deps: Deps, userId: string, email: string, trx: Database = deps.db): Promise<void> {
  const { tokens, mail } = deps;
  if (!(await isTaken(deps, email, userId))) return sendVerification(deps, userId, email, trx);
  await tokens.issue("email_verification", userId, LINK_TTL_MS, { email }, trx); // so that the delay is the same
  await mail.send({ template: addressInUseMail, values: {}, to: email }, trx);
}

/**
 * Revokes what was linked, set and signed in before an address was confirmed, because a stranger may have created the
 * account. `keptSessionId` is the session that confirms the address, if there is one.
 */
async function endUnconfirmed(
  deps: Deps,
  userId: string,
  keptSessionId: string | null,
  trx: Database,
): Promise<RevokedCredentials> {
  const { usersRepository, clock, deleteUserGrants } = deps;
  const now = clock.now();
  await usersRepository.revokeOtherSessions(userId, keptSessionId, now, trx);
  return revokeCredentials(userId, { scope: EVERYTHING, now, deleteUserGrants }, trx);
}

/** Completes a registration. The account gets the data of this link's registration, and none of other registrations. */
async function completeRegistration(
  deps: Deps,
  userId: string,
  { email = "", name, passwordHash, provider }: TokenData,
  ip: string,
  trx: Database,
): Promise<void> {
  const { audit, clock, onConfirmed } = deps;
  const user = await trx.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirst();
  if (!user?.awaiting_confirmation || user.email_lower !== email.toLowerCase())
    throw invalidToken("Ask for a new one.");
  await endUnconfirmed(deps, userId, null, trx);
  const now = clock.now();
  await trx
    .updateTable("users")
    .set({
      email,
      name: name ?? email.slice(0, email.indexOf("@")),
      password_hash: passwordHash ?? null,
      email_verified_at: now,
      email_assumed: false,
      awaiting_confirmation: false,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
  if (provider !== undefined) await linkProvider(userId, provider, now, trx);
  await onConfirmed(user, trx);
  await audit.record({ action: "account.verify_email", userId, target: userId, ip }, trx);
}

/** Links the account at the registration's provider. Throws if another account was linked to it meanwhile. */
async function linkProvider(
  userId: string,
  { id, ...account }: NonNullable<TokenData["provider"]>,
  now: Date,
  trx: Database,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("linked_accounts")
    .values({ provider: id, ...account, user_id: userId, linked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw errors.signInProviders.linked({ provider: id });
}

/** Marks the address of the token, the current or a new one, as the user's verified address. */
async function confirm(
  deps: Deps,
  userId: string,
  { email = "" }: TokenData,
  by: { ip: string; sessionId: string | null },
  trx: Database,
): Promise<void> {
  const { audit, clock } = deps;
  const user = await trx.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirst();
  if (!user) throw invalidToken("Ask for a new one.");
  const now = clock.now();
  const isNew = user.pending_email?.toLowerCase() === email.toLowerCase();
  if (!isNew && user.email_lower !== email.toLowerCase()) throw invalidToken("Ask for a new one.");
  if (user.email_verified_at === null) await endUnconfirmed(deps, userId, by.sessionId, trx);
  await trx
    .updateTable("users")
    .set({
      email_verified_at: now,
      email_assumed: !deps.required,
      updated_at: now,
      ...(isNew && { email, email_lower: email.toLowerCase(), pending_email: null }),
    })
    .where("id", "=", userId)
    .execute();
  if (isNew) await notifyOldAddress(deps, user, email, trx);
  await audit.record(
    { action: isNew ? "account.change_email" : "account.verify_email", userId, target: userId, ip: by.ip },
    trx,
  );
}

/**
 * Confirms the address of a user who has proved in another way that they receive its mail, such as by the link of an
 * invitation. Does nothing if it is confirmed. Revokes what was set before, except the session.
 */
async function confirmExisting(deps: Deps, userId: string, keptSessionId: string | null, trx: Database): Promise<void> {
  const { clock, required } = deps;
  const updated = await trx
    .updateTable("users")
    .set({ email_verified_at: clock.now(), email_assumed: !required })
    .where("id", "=", userId)
    .where("email_verified_at", "is", null)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 1n) await endUnconfirmed(deps, userId, keptSessionId, trx);
}

async function notifyOldAddress(
  deps: Deps,
  { email: to, language }: { email: string; language: string | null },
  email: string,
  trx: Database,
): Promise<void> {
  await deps.mail.send({ template: emailChangedMail, values: { email }, to, fallback: { language } }, trx);
}

/** Throws 429 within a minute of the last message to the account. */
async function refuseBeforeDelay(deps: Deps, userId: string): Promise<void> {
  const { tokens, clock } = deps;
  const last = await tokens.findLatest(userId, "email_verification");
  const waitMs = last === null ? 0 : RESEND_DELAY_MS - (clock.now().getTime() - last.issuedAt.getTime());
  if (waitMs > 0) throw tooSoon(Math.ceil(waitMs / 1000));
}

/** Sends the link again, at most once a minute. Does nothing if there is no address to confirm. */
async function resendVerification(deps: Deps, userId: string): Promise<void> {
  const { usersRepository } = deps;
  const user = await usersRepository.findWithOrganization(userId);
  const email = user?.pending_email ?? (user?.email_verified_at === null ? user.email : null);
  if (!email) return;
  await refuseBeforeDelay(deps, userId);
  return user?.pending_email ? sendToNewAddress(deps, userId, email) : sendVerification(deps, userId, email);
}

/** Returns the link of a token; null if it was used or has expired. */
async function findLink({ tokens }: Deps, token: string) {
  for (const purpose of ["registration", "email_verification"] as const) {
    const link = await tokens.read(token, purpose);
    if (link !== null && link.userId !== null) return { purpose, userId: link.userId, data: link.data };
  }
  return null;
}

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** Returns what must come with the token of a link; null if the link was used or has expired. */
async function findRequiredProof(deps: Deps, token: string): Promise<RequiredProof | null> {
  const link = await findLink(deps, token);
  return link === null ? null : requiredProofOf(link);
}

function requiredProofOf({ purpose, data }: Link): RequiredProof {
  if (purpose === "email_verification") return "account";
  return data.provider === undefined ? "password" : "browser";
}

/**
 * Throws unless the person who opens the link has requested it. Access to the mailbox is not enough: strangers can register
 * any address, and programs that scan mail open links.
 */
async function requireProof(deps: Deps, link: Link, { actor, password, browserSecret }: LinkProof): Promise<void> {
  const { usersRepository, passwords } = deps;
  const { userId, data } = link;
  const required = requiredProofOf(link);
  if (required === "browser") {
    if (browserSecret !== undefined && hashSecret(browserSecret).toString("base64url") === data.boundTo) return;
    throw errors.auth.otherBrowser();
  }
  if (required === "account" && sessionOf(actor, userId) !== null) return;
  const hash =
    required === "password"
      ? (data.passwordHash ?? null)
      : ((await usersRepository.findWithOrganization(userId))?.password_hash ?? null);
  if (await passwords.verify(password ?? "", hash)) return;
  throw required === "password"
    ? wrongPassword("password", "This is not the password that was chosen in the sign-up of this link.")
    : wrongPassword("password", "This is not the password of the account. Enter it, or log in to the account first.");
}

/** Returns the id of the actor's session if the actor is this user. */
function sessionOf(actor: Actor, userId: string): string | null {
  if (actor.kind !== "user" || actor.userId !== userId || impersonatorOf(actor) !== null) return null;
  return actor.credential.type === "session" ? actor.credential.id : null;
}

/**
 * Redeems the token of a link together with the required proof. Returns the id of the user. Throws 400 if either is
 * invalid; a wrong proof does not consume the link.
 */
async function verifyEmail(deps: Deps, token: string, proof: LinkProof, ip: string): Promise<string> {
  const { db, tokens, onRegistered, invalidateApiKeys } = deps;
  const link = await findLink(deps, token);
  if (link === null || (await tokens.recordAttempt(token, link.purpose, ATTEMPT_LIMITS)) === null)
    throw invalidToken("Ask for a new one.");
  await requireProof(deps, link, proof);
  const { userId, data, purpose } = link;
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await tokens.consume(token, purpose, trx))) throw invalidToken("Ask for a new one.");
      if (purpose === "registration") await completeRegistration(deps, userId, data, ip, trx);
      else await confirm(deps, userId, data, { ip, sessionId: sessionOf(proof.actor, userId) }, trx);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
  invalidateApiKeys();
  if (data.referrer !== undefined) await onRegistered({ userId }, { referrer: data.referrer, ip });
  return userId;
}

/** Formats a time for a message, such as `2026-11-28 09:12 UTC`. */
function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 64);
}

function tooSoon(seconds: number): AppError {
  return errors.rateLimitExceeded(`A message was just sent. Ask again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}
