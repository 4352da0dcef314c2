import { createHmac, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Sealer } from "../../shared/sealing.ts";
import type { RandomBytes } from "../../shared/secrets.ts";
import type { Audit } from "../audit/audit.ts";
import { wrongCode } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import type { OneTimeTokens } from "./one-time-tokens.ts";
import type { SendSecurityNotice } from "./security-notices.ts";

const PERIOD_MS = 30_000;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const TRIES = { perToken: 5, perHour: 20 };

type Deps = {
  db: Database;
  tokens: OneTimeTokens;
  sealer: Sealer;
  /** Recovery codes are short, so a plain hash of one could be guessed. */
  pepper: Uint8Array;
  audit: Audit;
  notify: SendSecurityNotice;
  identity: IdentityRepository;
  clock: Clock;
  productName: string;
  random?: RandomBytes;
};

/** The second factor: codes of an authenticator app (RFC 6238), and recovery codes for those who lost it. */
export function createTotp(deps: Deps) {
  const { db, tokens, sealer, pepper, audit, notify, identity, clock, productName, random = randomBytes } = deps;
  const hashCode = (code: string) =>
    createHmac("sha256", pepper)
      .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
      .digest();

  function authenticator(secret: Uint8Array, label: string): TOTP {
    const bytes = Uint8Array.from(secret);
    return new TOTP({
      issuer: productName,
      label,
      secret: new Secret({ buffer: bytes.buffer }),
      period: PERIOD_MS / 1000,
    });
  }

  /** The time step a code belongs to, or null for a wrong one. Clocks may differ by one step. */
  function stepOf(sealed: Buffer, code: string): number | null {
    const now = clock.now().getTime();
    const secret = Buffer.from(sealer.open(sealed), "base64");
    const delta = authenticator(secret, "").validate({ token: code.replaceAll(/\s/g, ""), timestamp: now, window: 1 });
    return delta === null ? null : Math.floor(now / PERIOD_MS) + delta;
  }

  /** Takes a code of the app: each once, of many who try at once by one. */
  async function takeCode(userId: string, sealed: Buffer, code: string, trx: Database): Promise<boolean> {
    const step = stepOf(sealed, code);
    if (step === null) return false;
    const { numUpdatedRows } = await trx
      .updateTable("users")
      .set({ totp_last_step: step })
      .where("id", "=", userId)
      .where("totp_last_step", "<", step)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async function takeRecoveryCode(userId: string, code: string, trx: Database): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable("recovery_codes")
      .set({ used_at: clock.now() })
      .where("user_id", "=", userId)
      .where("code_hash", "=", hashCode(code))
      .where("used_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async function take(userId: string, code: string, trx: Database): Promise<{ email: string }> {
    const user = await trx.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
    if (!user?.sealed_totp_secret || !user.totp_enabled_at) throw wrongCode();
    const isCode = /^\s*\d{3}\s*\d{3}\s*$/.test(code);
    const taken = isCode
      ? await takeCode(userId, user.sealed_totp_secret, code, trx)
      : await takeRecoveryCode(userId, code, trx);
    if (!taken) throw wrongCode();
    return { email: user.email };
  }

  async function remove(userId: string, trx: Database): Promise<void> {
    await trx
      .updateTable("users")
      .set({ totp_enabled_at: null, sealed_totp_secret: null, totp_last_step: 0 })
      .where("id", "=", userId)
      .execute();
    await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  }

  /** They were begun under other rules, perhaps by somebody else. */
  async function endOtherSessions({ userId, credential }: SignedIn, trx: Database): Promise<void> {
    const kept = credential.type === "session" ? credential.id : null;
    await identity.revokeOtherSessions(userId, kept, clock.now(), trx);
  }

  async function newRecoveryCodes(userId: string, trx: Database): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(random));
    await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
    await trx
      .insertInto("recovery_codes")
      .values(codes.map((code) => ({ user_id: userId, code_hash: hashCode(code) })))
      .execute();
    return codes;
  }

  return {
    /** A new secret for the app. It counts once a code of it was shown. */
    async begin(userId: string, email: string): Promise<{ secret: string; uri: string }> {
      const bytes = Buffer.from(random(SECRET_BYTES));
      const { numUpdatedRows } = await db
        .updateTable("users")
        .set({ sealed_totp_secret: sealer.seal(bytes.toString("base64")) })
        .where("id", "=", userId)
        .where("totp_enabled_at", "is", null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n)
        throw new AppError(
          409,
          "totp_enabled",
          "A second factor is set up already. Switch it off before you set up another.",
        );
      const totp = authenticator(bytes, email);
      return { secret: totp.secret.base32, uri: totp.toString() };
    },

    /** Switches it on with a code of the app. Answers recovery codes, this one time. */
    confirm: (actor: SignedIn, code: string): Promise<string[]> =>
      db.transaction().execute(async (trx) => {
        const { userId } = actor;
        const user = await trx.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirst();
        if (!user?.sealed_totp_secret || user.totp_enabled_at)
          throw new AppError(400, "totp_not_begun", "Begin setting up a second factor first.");
        if (!(await takeCode(userId, user.sealed_totp_secret, code, trx)))
          throw new AppError(
            400,
            "wrong_code",
            "This code is wrong. Look at the clock of your device, and take the next one.",
            {
              param: "code",
            },
          );
        await trx.updateTable("users").set({ totp_enabled_at: clock.now() }).where("id", "=", userId).execute();
        const codes = await newRecoveryCodes(userId, trx);
        await endOtherSessions(actor, trx);
        const text = "From now on logging in to your account also asks for a code. All other sessions were ended.";
        await notify(user.email, { subject: "A second factor was set up for your account", text }, trx);
        await audit.record({ actor, action: "account.enable_totp", target: userId }, trx);
        return codes;
      }),

    disable: (actor: SignedIn, code: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { userId } = actor;
        const { email } = await take(userId, code, trx);
        await remove(userId, trx);
        await endOtherSessions(actor, trx);
        const text = "Logging in to your account no longer asks for a code. All other sessions were ended.";
        await notify(email, { subject: "The second factor of your account was switched off", text }, trx);
        await audit.record({ actor, action: "account.disable_totp", target: userId }, trx);
      }),

    /** Takes the second factor of somebody else away, who lost it. Returns whether there was one. */
    reset: (actor: SignedIn, userId: string, reason: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const user = await trx.selectFrom("users").selectAll().where("id", "=", userId).forUpdate().executeTakeFirst();
        if (!user?.totp_enabled_at) return false;
        await remove(userId, trx);
        await identity.revokeOtherSessions(userId, null, clock.now(), trx);
        const text = `An admin took the second factor of your account away, and ended its sessions. Reason: ${reason}\n\nSet up a new one when you log in.`;
        await notify(user.email, { subject: "The second factor of your account was reset", text }, trx);
        await audit.record({ actor, action: "users.reset_second_factor", target: userId, details: { reason } }, trx);
        return true;
      }),

    /** Answers a log-in's question. The question ends after some wrong answers, and with the right one. `wrong` is told of each wrong one. */
    async answer(challenge: string, code: string, wrong: (userId: string) => Promise<void>): Promise<string> {
      const userId = await tokens.attempt(challenge, "second_factor", TRIES);
      if (userId === null)
        throw new AppError(
          401,
          "challenge_ended",
          "This log-in took too long, or too many codes were wrong. Log in again.",
        );
      try {
        await db.transaction().execute(async (trx) => {
          if (!(await tokens.use(challenge, "second_factor", trx))) throw wrongCode();
          await take(userId, code, trx);
        });
        return userId;
      } catch (error) {
        if (error instanceof AppError) await wrong(userId);
        throw error;
      }
    },
  };
}

export type Totp = ReturnType<typeof createTotp>;

/** Ten characters that are hard to mix up, such as `x7k2p-9qamw`. */
function recoveryCode(random: RandomBytes): string {
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  const letters: string[] = [];
  while (letters.length < 10)
    // Bytes above the last whole multiple would make some letters likelier.
    for (const byte of random(16))
      if (byte < 248 && letters.length < 10) letters.push(alphabet.charAt(byte % alphabet.length));
  return `${letters.slice(0, 5).join("")}-${letters.slice(5).join("")}`;
}
