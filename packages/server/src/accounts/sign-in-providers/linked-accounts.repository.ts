import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Profile } from "./providers.ts";

/** A sign-in in progress at a provider: what is needed when the browser comes back. */
export type ProviderVisit = {
  provider: string;
  codeVerifier: string;
  nonce: string;
  userId: string | null;
  returnTo: string | null;
  referrer: string | null;
};

/** Queries of linked accounts and of sign-ins in progress (`provider_visits`). */
export function createLinkedAccountsRepository(db: Database) {
  return {
    ...bind(db, {
      find: findLinkedAccount,
      createVisit,
      consumeVisit,
      deleteExpiredVisits,
    }),
    link: linkLinkedAccount,
    unlink: unlinkLinkedAccount,
  };
}

export type LinkedAccountsRepository = ReturnType<typeof createLinkedAccountsRepository>;

function findLinkedAccount(db: Database, provider: string, subject: string) {
  return db
    .selectFrom("linked_accounts")
    .innerJoin("users", "users.id", "linked_accounts.user_id")
    .select(["users.id", "users.suspended_at", "users.totp_enabled_at"])
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

/**
 * Links a profile to a user. Returns false where the profile is linked already or the user has another one of this
 * provider.
 */
async function linkLinkedAccount(
  userId: string,
  provider: string,
  profile: Profile,
  now: Date,
  trx: Database,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("linked_accounts")
    .values({
      provider,
      subject: profile.subject,
      user_id: userId,
      email: profile.email,
      name: profile.name ?? profile.username,
      linked_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Unlinks a provider, unless it is the user's only way to sign in. Returns the outcome. */
async function unlinkLinkedAccount(
  userId: string,
  provider: string,
  trx: Database,
): Promise<"unlinked" | "not_linked" | "last_login_method"> {
  const user = await trx
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  const linkedProviders = await trx
    .selectFrom("linked_accounts")
    .select("provider")
    .where("user_id", "=", userId)
    .execute();
  if (!linkedProviders.some((row) => row.provider === provider)) return "not_linked";
  if (user?.password_hash === null && linkedProviders.length === 1) return "last_login_method";
  await trx.deleteFrom("linked_accounts").where("user_id", "=", userId).where("provider", "=", provider).execute();
  return "unlinked";
}

function createVisit(db: Database, stateHash: Buffer, browserHash: Buffer, visit: ProviderVisit, expiresAt: Date) {
  return db
    .insertInto("provider_visits")
    .values({
      state_hash: stateHash,
      browser_hash: browserHash,
      provider: visit.provider,
      code_verifier: visit.codeVerifier,
      nonce: visit.nonce,
      user_id: visit.userId,
      return_to: visit.returnTo,
      referrer: visit.referrer,
      expires_at: expiresAt,
    })
    .execute();
}

/**
 * Marks a visit as used and returns it; null where it is unknown, expired or used. Of concurrent calls, only one
 * gets it.
 */
async function consumeVisit(
  db: Database,
  stateHash: Buffer,
  browserHash: Buffer,
  provider: string,
  now: Date,
): Promise<ProviderVisit | null> {
  const row = await db
    .updateTable("provider_visits")
    .set({ used_at: now })
    .where("state_hash", "=", stateHash)
    .where("browser_hash", "=", browserHash)
    .where("provider", "=", provider)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  return {
    provider: row.provider,
    codeVerifier: row.code_verifier,
    nonce: row.nonce,
    userId: row.user_id,
    returnTo: row.return_to,
    referrer: row.referrer,
  };
}

function deleteExpiredVisits(db: Database, now: Date) {
  return db.deleteFrom("provider_visits").where("expires_at", "<", now).execute();
}
