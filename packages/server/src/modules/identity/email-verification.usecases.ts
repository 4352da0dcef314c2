import type { Audit } from "../../core/audit.ts";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import { isUniqueViolation } from "../../core/db/errors.ts";
import { type AppError, errors } from "../../core/errors/index.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { Mail } from "../mail/index.ts";
import { emailTaken, invalidToken } from "./auth.errors.ts";
import type { OneTimeTokens, TokenData } from "./one-time-tokens.ts";
import type { UsersRepository } from "./users.repository.ts";

const RESEND_DELAY_MS = MINUTE_MS;
/** A link signs in whoever opens it, so it is short-lived. */
const LINK_TTL_MS = 60 * RESEND_DELAY_MS;

type Deps = {
  db: Database;
  usersRepository: UsersRepository;
  tokens: OneTimeTokens;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  publicUrl: string;
  productName: string;
  /** Whether new addresses must be confirmed: true with a mail server. */
  required: boolean;
  onConfirmed: OnConfirmed;
};
/** Data of a link: the page to return to, and the hash of the password that takes effect with it. */
type LinkData = { returnTo?: string | null; passwordHash?: string | null };
/** Called within the transaction when the address of a new account was confirmed. */
export type OnConfirmed = (user: { email: string; approval_requested_at: Date | null }, trx: Database) => Promise<void>;

/** Creates the use cases that confirm e-mail addresses by a link. */
export function createEmailVerificationUseCases(deps: Deps) {
  return {
    ...bind(deps, {
      isTaken,
      send: sendVerification,
      sendToNewAddress,
      refuseBeforeDelay,
      resend: resendVerification,
      verify: verifyEmail,
    }),
    required: deps.required,
  };
}

export type EmailVerificationUseCases = ReturnType<typeof createEmailVerificationUseCases>;

/** Issues the token of a link and revokes earlier ones. */
function issueToken(
  deps: Deps,
  userId: string,
  email: string,
  { returnTo, passwordHash }: LinkData,
  trx: Database,
): Promise<string> {
  const { tokens } = deps;
  const data = { email, ...(returnTo && { returnTo }), ...(passwordHash && { passwordHash }) };
  return tokens.issue("email_verification", userId, LINK_TTL_MS, data, trx);
}

async function sendVerification(
  deps: Deps,
  userId: string,
  email: string,
  linkData: LinkData = {},
  trx: Database = deps.db,
): Promise<void> {
  const { mail, publicUrl, productName } = deps;
  const token = await issueToken(deps, userId, email, linkData, trx);
  const { returnTo = null } = linkData;
  const query = new URLSearchParams({ token, ...(returnTo !== null && { returnTo }) });
  const text = `Please confirm that this is your e-mail address:\n\n${publicUrl}/confirm-email?${query}\n\nThe link works once, within an hour, and signs in whoever opens it: do not pass it on. If you did not ask for it, leave it be: nothing happens.`;
  await mail.send(
    { kind: "email_verification", to: email, subject: `Confirm your e-mail for ${productName}`, text },
    trx,
  );
}

async function isTaken(deps: Deps, email: string, userId: string): Promise<boolean> {
  const { usersRepository } = deps;
  const owner = await usersRepository.findByEmail(email);
  return owner !== undefined && owner.id !== userId;
}

/** Sends a link to a new address of the user. If the address has an account already, it gets a notice instead. */
async function sendToNewAddress(deps: Deps, userId: string, email: string, trx: Database = deps.db): Promise<void> {
  const { mail, productName } = deps;
  if (!(await isTaken(deps, email, userId))) return sendVerification(deps, userId, email, {}, trx);
  await issueToken(deps, userId, email, {}, trx); // so that the delay between messages is the same
  const text = `Somebody wanted to use this address for another account at ${productName}. It belongs to your account, so nothing has changed.`;
  await mail.send({ kind: "account_exists", to: email, subject: `Your address at ${productName}`, text }, trx);
}

/** Marks the address of the token as the user's verified e-mail; for a new account also completes the registration. */
async function confirm(
  deps: Deps,
  userId: string,
  { email = "", passwordHash }: TokenData,
  ip: string,
  trx: Database,
): Promise<void> {
  const { audit, clock, onConfirmed } = deps;
  const user = await trx.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirst();
  if (!user) throw invalidToken("Ask for a new one.");
  const now = clock.now();
  const isNew = user.pending_email?.toLowerCase() === email.toLowerCase();
  if (!isNew && user.email_lower !== email.toLowerCase()) throw invalidToken("Ask for a new one.");
  await trx
    .updateTable("users")
    .set({
      email_verified_at: now,
      updated_at: now,
      ...(isNew && { email, email_lower: email.toLowerCase(), pending_email: null }),
      ...(user.awaiting_confirmation && {
        awaiting_confirmation: false,
        ...(passwordHash !== undefined && { password_hash: passwordHash }),
      }),
    })
    .where("id", "=", userId)
    .execute();
  if (user.awaiting_confirmation) await onConfirmed(user, trx);
  if (isNew) await notifyOldAddress(deps, user.email, email, trx);
  await audit.record(
    { action: isNew ? "account.change_email" : "account.verify_email", userId, target: userId, ip },
    trx,
  );
}

async function notifyOldAddress(deps: Deps, oldEmail: string, email: string, trx: Database): Promise<void> {
  const { mail, publicUrl, productName } = deps;
  const text = `The e-mail address of your account is now ${email}. If that was not you, reset your password at once and write to the operator of this site: ${publicUrl}/reset-password`;
  await mail.send(
    { kind: "email_changed", to: oldEmail, subject: `Your e-mail at ${productName} was changed`, text },
    trx,
  );
}

/** Throws 429 within a minute after the last message to the account. */
async function refuseBeforeDelay(deps: Deps, userId: string): Promise<void> {
  const { tokens, clock } = deps;
  const last = await tokens.findLatest(userId, "email_verification");
  const waitMs = last === null ? 0 : RESEND_DELAY_MS - (clock.now().getTime() - last.issuedAt.getTime());
  if (waitMs > 0) throw tooSoon(Math.ceil(waitMs / 1000));
}

/** Sends the link again, at most once a minute. Does nothing if there is no address to confirm. */
async function resendVerification(deps: Deps, userId: string): Promise<void> {
  const { usersRepository, tokens } = deps;
  const user = await usersRepository.findWithOrganization(userId);
  const email = user?.pending_email ?? (user?.email_verified_at === null ? user.email : null);
  if (!email) return;
  await refuseBeforeDelay(deps, userId);
  if (user?.pending_email) return sendToNewAddress(deps, userId, email);
  const last = await tokens.findLatest(userId, "email_verification");
  await sendVerification(deps, userId, email, { returnTo: last?.data.returnTo ?? null });
}

/** Consumes the token and returns the id of its user. Throws 400 if it is not valid. */
async function verifyEmail(deps: Deps, token: string, ip: string): Promise<string> {
  const { db, tokens } = deps;
  try {
    return await db.transaction().execute(async (trx) => {
      const usedToken = await tokens.consume(token, "email_verification", trx);
      if (!usedToken?.userId || usedToken.data.email === undefined) throw invalidToken("Ask for a new one.");
      await confirm(deps, usedToken.userId, usedToken.data, ip, trx);
      return usedToken.userId;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
}

function tooSoon(seconds: number): AppError {
  return errors.rateLimitExceeded(`A message was just sent. Ask again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}
