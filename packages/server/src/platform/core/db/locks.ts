import type { Database } from "./connect.ts";

/**
 * Keys of the advisory locks. The numbers are arbitrary but must differ. Session locks end with their connection, so those
 * of a killed server are released.
 */
export const LOCKS = {
  migration: 7_276_000_001,
  databaseOwner: 7_276_000_002,
  auditLog: 7_276_000_003,
  firstAdmin: 7_276_000_005,
  server: 7_276_000_006,
  routeRules: 7_276_000_007,
  settlement: 7_276_000_009,
  ledger: 7_276_000_010,
  preparation: 7_276_000_011,
  // Keys of two numbers. This is the first one; the second one is a hash of the name of what is locked.
  units: 727_601,
  modelSwitches: 727_602,
  dailyRequests: 727_603,
} as const;

/*
 * The order in which transactions lock rows, to avoid deadlocks:
 *
 *   1. users, by id
 *   2. organizations, by id
 *   3. billing accounts, by organization
 *   4. what belongs to one organization: subscriptions, invoices, payments, coupons, invitations, keys
 *   5. the advisory lock of payment postings, then ledger accounts by name (`postings.ts`)
 *   6. the advisory lock of the audit log (`audit.ts`), which is the last
 *
 * A transaction may skip steps, but never go back. Inserting a row locks the rows that its foreign keys reference, so
 * these are locked first if anything deletes them. Several rows of one table are always locked `order by id`.
 *
 * A violation ends in a deadlock, which PostgreSQL resolves and `retry.ts` retries.
 */

/** Locks users against updates and deletion until `trx` ends. Returns the ids of those that exist, sorted. */
export async function lockUsers(ids: readonly string[], trx: Database): Promise<string[]> {
  const rows = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Locks organizations against deletion until `trx` ends. Other transactions may read and update them. Returns the ids of
 * those that exist.
 */
export async function lockOrganizationsForKeyShare(ids: readonly string[], trx: Database): Promise<string[]> {
  const rows = await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .forKeyShare()
    .execute();
  return rows.map(({ id }) => id);
}
