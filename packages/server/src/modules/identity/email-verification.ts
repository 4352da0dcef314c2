import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { Mail } from "../mail/mail.ts";
import { emailTaken, invalidToken } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import type { OneTimeTokens } from "./one-time-tokens.ts";

const MINUTE = 60_000;
const LIFETIME = 24 * 60 * MINUTE;
const DUPLICATE = "23505";

type Deps = {
  db: Database;
  identity: IdentityRepository;
  tokens: OneTimeTokens;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  publicUrl: string;
  productName: string;
  /** Whether new addresses are to be verified: once mail is really sent. */
  required: boolean;
};

/** Proves that an address belongs to its owner, by a link that is sent there. */
export function createEmailVerification(deps: Deps) {
  const { db, identity, tokens, mail, audit, clock, publicUrl, productName, required } = deps;

  async function send(
    userId: string,
    email: string,
    returnTo: string | null = null,
    trx: Database = db,
  ): Promise<void> {
    const token = await tokens.issue("email_verification", userId, LIFETIME, { email }, trx);
    const query = new URLSearchParams({ token, ...(returnTo !== null && { returnTo }) });
    const text = `Please confirm that this is your e-mail address:\n\n${publicUrl}/account/verify-email?${query}\n\nThe link works once, within 24 hours. If you did not ask for it, leave it be: nothing happens.`;
    await mail.send(
      { kind: "email_verification", to: email, subject: `Confirm your e-mail for ${productName}`, text },
      trx,
    );
  }

  /** Makes the address of the token the user's, verified. */
  async function confirm(userId: string, email: string, trx: Database): Promise<void> {
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
      })
      .where("id", "=", userId)
      .execute();
    if (isNew) await tellOldAddress(user.email, email, trx);
    await audit.record(
      { action: isNew ? "account.change_email" : "account.verify_email", userId, target: userId },
      trx,
    );
  }

  async function tellOldAddress(old: string, email: string, trx: Database): Promise<void> {
    const text = `The e-mail address of your account is now ${email}. If that was not you, reset your password at once and write to the operator of this site: ${publicUrl}/reset-password`;
    await mail.send(
      { kind: "email_changed", to: old, subject: `Your e-mail at ${productName} was changed`, text },
      trx,
    );
  }

  /** One message a minute to one account, whatever it is asked for. */
  async function refuseTooSoon(userId: string): Promise<void> {
    const last = await tokens.lastIssued(userId, "email_verification");
    const wait = last === null ? 0 : MINUTE - (clock.now().getTime() - last.getTime());
    if (wait > 0) throw tooSoon(Math.ceil(wait / 1000));
  }

  return {
    required,
    send,
    refuseTooSoon,

    /** Sends the message again, once a minute. Nothing is sent to those who need none. */
    async resend(userId: string): Promise<void> {
      const user = await identity.findWithOrganization(userId);
      const email = user?.pending_email ?? (user?.email_verified_at === null ? user.email : null);
      if (!email) return;
      await refuseTooSoon(userId);
      await send(userId, email);
    },

    /** Uses the token up and answers whose address it was. */
    async verify(token: string): Promise<string> {
      try {
        return await db.transaction().execute(async (trx) => {
          const used = await tokens.use(token, "email_verification", trx);
          if (!used?.userId || used.data.email === undefined) throw invalidToken("Ask for a new one.");
          await confirm(used.userId, used.data.email, trx);
          return used.userId;
        });
      } catch (error) {
        if ((error as { code?: string }).code === DUPLICATE) throw emailTaken();
        throw error;
      }
    },
  };
}

export type EmailVerification = ReturnType<typeof createEmailVerification>;

function tooSoon(seconds: number): AppError {
  return new AppError(429, "rate_limit_exceeded", `A message was just sent. Ask again in ${seconds} seconds.`, {
    headers: { "retry-after": String(seconds) },
  });
}
