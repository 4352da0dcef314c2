import { sql } from "kysely";
import type { Database } from "./connect.ts";
import { isLockTimeout } from "./errors.ts";

/**
 * Creates the partitions of `requests` for the month of `now` and the twelve months after it, and for months with rows in
 * the default partition. Returns false if other transactions, such as a backup, have used the table for so long that it
 * must be repeated later. Meanwhile rows are written to the default partition.
 */
export function createRequestPartitions(db: Database, now: Date): Promise<boolean> {
  return unlessLocked(db, async (trx) => {
    await sql`select create_request_partitions(${now})`.execute(trx);
  });
}

/**
 * Deletes the partitions of `requests` that lie entirely before `cut`. Returns false if other transactions have used the
 * table for so long that it must be repeated later.
 */
export function dropRequestPartitions(db: Database, cut: Date): Promise<boolean> {
  return unlessLocked(db, async (trx) => {
    await sql`select drop_request_partitions(${cut})`.execute(trx);
  });
}

async function unlessLocked(db: Database, change: (trx: Database) => Promise<void>): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx); // months of a restored database are moved once
      await change(trx);
    });
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return false;
  }
}
