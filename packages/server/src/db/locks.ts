import type { Database } from "./connect.ts";

/**
 * Numbers of the advisory locks. Any fixed number serves, as long as no two are the same: those who take different locks
 * would wait for each other. Locks of a session live as long as its connection, so a server that was killed frees them.
 */
export const LOCKS = {
  migration: 7_276_000_001,
  databaseOwner: 7_276_000_002,
  auditLog: 7_276_000_003,
  firstAdmin: 7_276_000_005,
  server: 7_276_000_006,
  routeRules: 7_276_000_007,
  settlement: 7_276_000_009,
  books: 7_276_000_010,
} as const;

/*
 * The order in which transactions lock rows, so that no two wait for each other:
 *
 *   1. users, by id
 *   2. organizations, by id
 *   3. billing accounts, by organization
 *   4. what belongs to one organization: subscriptions, invoices, payments, coupons, invitations, keys
 *   5. the advisory lock of payments that are booked, then ledger accounts by name (`bookkeeping.ts`)
 *   6. the advisory lock of the audit log (`audit.ts`), which is the last
 *
 * A transaction may leave steps out, and never goes back. Inserting a row locks the rows that its foreign keys name, so
 * those come first where somebody deletes them. Several rows of one table are always locked `order by id`.
 *
 * What breaks this order by accident ends in a deadlock, which PostgreSQL resolves and `retry.ts` tries again.
 */

/** Locks users against changes and deletion until `trx` ends. Returns the ids of those that exist, in order. */
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

/** Keeps organizations from being deleted until `trx` ends; others may read and change them. Returns those that exist. */
export async function keepOrganizations(ids: readonly string[], trx: Database): Promise<string[]> {
  const rows = await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .forKeyShare()
    .execute();
  return rows.map(({ id }) => id);
}
