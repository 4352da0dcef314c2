import { sql } from "kysely";
import { z } from "zod";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createSecret, hashSecret, parseSecretKind, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { HOUR_MS } from "../../platform/core/time.ts";

/** What a one-time token is for. */
export type TokenPurpose =
  | "setup"
  | "registration"
  | "email_verification"
  | "password_reset"
  | "second_factor"
  | "passkey_registration"
  | "passkey_sign_in";
const tokenDataSchema = z.object({
  email: z.string().exactOptional(),
  returnTo: z.string().exactOptional(),
  /** The hash of the password that takes effect with the link, and that must be sent with it. */
  passwordHash: z.string().exactOptional(),
  /** The account at a sign-in provider that the link connects. */
  provider: z
    .object({ id: z.string(), subject: z.string(), email: z.string().nullable(), name: z.string().nullable() })
    .exactOptional(),
  /** Name of the new account. */
  name: z.string().exactOptional(),
  /** The code of the user who referred the new account. */
  referrer: z.string().exactOptional(),
  /** The id of the session, or the hash of the browser's secret, that may use the token. */
  boundTo: z.string().exactOptional(),
});
/** Data that is stored with a token. */
export type TokenData = z.infer<typeof tokenDataSchema>;
/** The limits of attempts: with one token, and with all tokens of the user within an hour. */
export type AttemptLimits = { perToken: number; perHour: number };
/** The user and data of a consumed token. */
export type UsedToken = { userId: string | null; data: TokenData };

/**
 * Purposes of which a user may have several open tokens: sign-ins, and links that strangers can request for an address,
 * since they must not revoke the link of its owner.
 */
const CONCURRENT_PURPOSES: readonly TokenPurpose[] = [
  "second_factor",
  "passkey_sign_in",
  "registration",
  "password_reset",
];

type Context = { db: Database; clock: Clock; random: RandomBytes | undefined };

/** Creates the store of one-time tokens. Only their hashes are stored. */
export function createOneTimeTokens(db: Database, clock: Clock, random?: RandomBytes) {
  const context: Context = { db, clock, random };
  return bind(context, {
    issue: issueToken,
    consume: consumeToken,
    read: readToken,
    findOwner,
    isUsable,
    revokeAll,
    recordAttempt,
    findLatest,
    deleteExpired,
  });
}

/** Issues and consumes one-time tokens. */
export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>;

/** Issues a token. Revokes earlier ones of the same user and purpose, unless several are allowed. */
async function issueToken(
  { db, clock, random }: Context,
  purpose: TokenPurpose,
  userId: string | null,
  lifetimeMs: number,
  data: TokenData = {},
  trx: Database = db,
): Promise<string> {
  const secret = createSecret("one", random);
  const now = clock.now();
  if (!CONCURRENT_PURPOSES.includes(purpose))
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
}

/** Consumes a token. Returns null if it is invalid. Of several concurrent calls, one succeeds. */
async function consumeToken(
  { db, clock }: Context,
  secret: string,
  purpose: TokenPurpose,
  trx: Database = db,
): Promise<UsedToken | null> {
  if (parseSecretKind(secret) !== "one") return null;
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
  return row ? { userId: row.user_id, data: tokenDataSchema.parse(row.data) } : null;
}

/** Returns the user and data of a valid token without consuming it; otherwise null. */
async function readToken({ db, clock }: Context, secret: string, purpose: TokenPurpose): Promise<UsedToken | null> {
  if (parseSecretKind(secret) !== "one") return null;
  const row = await db
    .selectFrom("one_time_tokens")
    .select(["user_id", "data"])
    .where("secret_hash", "=", hashSecret(secret))
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", clock.now())
    .executeTakeFirst();
  return row ? { userId: row.user_id, data: tokenDataSchema.parse(row.data) } : null;
}

/** Returns the id of the user of a valid token; otherwise null. */
async function findOwner(context: Context, secret: string, purpose: TokenPurpose): Promise<string | null> {
  return (await readToken(context, secret, purpose))?.userId ?? null;
}

/** Returns whether a token is valid, without consuming it. */
async function isUsable(context: Context, secret: string, purpose: TokenPurpose): Promise<boolean> {
  return (await readToken(context, secret, purpose)) !== null;
}

/** Deletes every unused token of a purpose, of all users. */
async function revokeAll({ db }: Context, purpose: TokenPurpose, trx: Database = db): Promise<void> {
  await trx.deleteFrom("one_time_tokens").where("purpose", "=", purpose).where("used_at", "is", null).execute();
}

/**
 * Counts an attempt with a token without consuming it. Returns the id of its user, or null if the token is invalid or a
 * limit of the token or of the user is reached.
 */
async function recordAttempt(
  { db, clock }: Context,
  secret: string,
  purpose: TokenPurpose,
  limits: AttemptLimits,
): Promise<string | null> {
  if (parseSecretKind(secret) !== "one") return null;
  const now = clock.now();
  const row = await db
    .updateTable("one_time_tokens")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("secret_hash", "=", hashSecret(secret))
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where("attempts", "<", limits.perToken)
    .where((eb) =>
      eb(
        eb
          .selectFrom("one_time_tokens as other")
          .select((other) => other.fn.coalesce(other.fn.sum<number>("other.attempts"), sql<number>`0`).as("tries"))
          .whereRef("other.user_id", "=", "one_time_tokens.user_id")
          .where("other.purpose", "=", purpose)
          .where("other.used_at", "is", null)
          .where("other.created_at", ">", new Date(now.getTime() - HOUR_MS)),
        "<",
        limits.perHour,
      ),
    )
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Returns when the newest unused token of a user was issued, and its data. */
async function findLatest(
  { db }: Context,
  userId: string,
  purpose: TokenPurpose,
): Promise<{ issuedAt: Date; data: TokenData } | null> {
  const row = await db
    .selectFrom("one_time_tokens")
    .select(["created_at", "data"])
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row ? { issuedAt: row.created_at, data: tokenDataSchema.parse(row.data) } : null;
}

/** Deletes tokens that expired more than an hour ago. Until then their attempts count towards the limit per user. */
async function deleteExpired({ db, clock }: Context): Promise<void> {
  const cutoff = new Date(clock.now().getTime() - HOUR_MS);
  await db.deleteFrom("one_time_tokens").where("expires_at", "<", cutoff).execute();
}
