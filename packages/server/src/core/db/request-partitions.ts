import { sql } from "kysely";
import type { Database } from "./connect.ts";
import { isLockTimeout } from "./errors.ts";

/**
 * Creates the partitions of `requests` for the month of `now` and the twelve months after it, and for months whose rows
 * are in the default partition. Returns false when others used the table for so long that it has to be tried again later,
 * which a backup may; rows are written to the default partition meanwhile.
 */
export function createRequestPartitions(db: Database, now: Date): Promise<boolean> {
  return unlessLocked(db, async (trx) => {
    await sql`select create_request_partitions(${now})`.execute(trx);
  });
}

/**
 * Removes the partitions of `requests` that lie wholly before `cut`. Returns false when others used the table for so long
 * that it has to be tried again later.
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
