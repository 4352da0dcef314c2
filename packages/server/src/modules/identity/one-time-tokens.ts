import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret, newSecret, type RandomBytes, secretKind } from "../../shared/secrets.ts";

/** What a token that works once is for. */
export type TokenPurpose =
  | "setup"
  | "email_verification"
  | "password_reset"
  | "second_factor"
  | "passkey_registration"
  | "passkey_sign_in";
export type TokenData = {
  email?: string;
  returnTo?: string;
  /** Hash of the password that comes into force with the link. */
  passwordHash?: string;
  /** Session, or hash of the browser's secret, that alone may use it. */
  boundTo?: string;
};
export type Tries = { perToken: number; perHour: number };
export type UsedToken = { userId: string | null; data: TokenData };

const HOUR = 3_600_000;
/** Log-ins: there may be several at once. */
const CONCURRENT: readonly TokenPurpose[] = ["second_factor", "passkey_sign_in"];

/** Tokens that work once, of which only hashes are stored. */
export function createOneTimeTokens(db: Database, clock: Clock, random?: RandomBytes) {
  return {
    /** Makes a token. Earlier ones of the same user and purpose end, but for log-ins: there may be several at once. */
    async issue(
      purpose: TokenPurpose,
      userId: string | null,
      lifetimeMs: number,
      data: TokenData = {},
      trx: Database = db,
    ): Promise<string> {
      const secret = newSecret("one", random);
      const now = clock.now();
      if (!CONCURRENT.includes(purpose))
        await trx
          .deleteFrom("one_time_tokens")
          .where("purpose", "=", purpose)
          .where("user_id", userId === null ? "is" : "=", userId)
          .where("used_at", "is", null)
          .execute();
      await trx
        .insertInto("one_time_tokens")
        .values({
          secret_hash: hashSecret(secret),
          purpose,
          user_id: userId,
          data: JSON.stringify(data),
          created_at: now,
          expires_at: new Date(now.getTime() + lifetimeMs),
        })
        .execute();
      return secret;
    },

    /** Uses a token up, or answers null. Of many who try at once, one succeeds. */
    async use(secret: string, purpose: TokenPurpose, trx: Database = db): Promise<UsedToken | null> {
      if (secretKind(secret) !== "one") return null;
      const now = clock.now();
      const row = await trx
        .updateTable("one_time_tokens")
        .set({ used_at: now })
        .where("secret_hash", "=", hashSecret(secret))
        .where("purpose", "=", purpose)
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .returning(["user_id", "data"])
        .executeTakeFirst();
      return row ? { userId: row.user_id, data: row.data as TokenData } : null;
    },

    /** Whose open token it is; null for one that has ended. */
    async ownerOf(secret: string, purpose: TokenPurpose): Promise<string | null> {
      if (secretKind(secret) !== "one") return null;
      const row = await db
        .selectFrom("one_time_tokens")
        .select("user_id")
        .where("secret_hash", "=", hashSecret(secret))
        .where("purpose", "=", purpose)
        .where("used_at", "is", null)
        .where("expires_at", ">", clock.now())
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    /** Whether a token can still be used; leaves it as it is. */
    async isUsable(secret: string, purpose: TokenPurpose): Promise<boolean> {
      if (secretKind(secret) !== "one") return false;
      const row = await db
        .selectFrom("one_time_tokens")
        .select("purpose")
        .where("secret_hash", "=", hashSecret(secret))
        .where("purpose", "=", purpose)
        .where("used_at", "is", null)
        .where("expires_at", ">", clock.now())
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Deletes every open token of a purpose, whoever it is for. */
    async revokeAll(purpose: TokenPurpose, trx: Database = db): Promise<void> {
      await trx.deleteFrom("one_time_tokens").where("purpose", "=", purpose).where("used_at", "is", null).execute();
    },

    /**
     * Counts an attempt with a token that stays good, and answers whose it is; null when it has ended, or when too much
     * was tried with it, or with others of that user within the hour: then new tokens do not help either.
     */
    async attempt(secret: string, purpose: TokenPurpose, most: Tries): Promise<string | null> {
      if (secretKind(secret) !== "one") return null;
      const now = clock.now();
      const row = await db
        .updateTable("one_time_tokens")
        .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
        .where("secret_hash", "=", hashSecret(secret))
        .where("purpose", "=", purpose)
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .where("attempts", "<", most.perToken)
        .where((eb) =>
          eb(
            eb
              .selectFrom("one_time_tokens as other")
              .select((other) => other.fn.coalesce(other.fn.sum<number>("other.attempts"), sql<number>`0`).as("tries"))
              .whereRef("other.user_id", "=", "one_time_tokens.user_id")
              .where("other.purpose", "=", purpose)
              .where("other.used_at", "is", null)
              .where("other.created_at", ">", new Date(now.getTime() - HOUR)),
            "<",
            most.perHour,
          ),
        )
        .returning("user_id")
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    /** The newest open token of a user: when it was made, for those who ask again too soon, and what it carries. */
    async lastIssued(userId: string, purpose: TokenPurpose): Promise<{ at: Date; data: TokenData } | null> {
      const row = await db
        .selectFrom("one_time_tokens")
        .select(["created_at", "data"])
        .where("user_id", "=", userId)
        .where("purpose", "=", purpose)
        .where("used_at", "is", null)
        .orderBy("created_at", "desc")
        .executeTakeFirst();
      return row ? { at: row.created_at, data: row.data as TokenData } : null;
    },

    /** Forgets those that ended a while ago: attempts with them count a little longer. */
    async prune(): Promise<void> {
      const before = new Date(clock.now().getTime() - HOUR);
      await db.deleteFrom("one_time_tokens").where("expires_at", "<", before).execute();
    },
  };
}

export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>;
