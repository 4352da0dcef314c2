import { sql } from "kysely";
import type { Database } from "./connect.ts";

/** How long a process may hold a lock of `lockBriefly` without sending a statement, in milliseconds. */
const BRIEF_LOCK_MS = 3_000;

/**
 * Takes an advisory lock until `trx` ends. If this process stops responding meanwhile, PostgreSQL ends its transaction
 * after three seconds, since other server processes wait for the lock. `space` is one of LOCKS.
 */
export async function lockBriefly(trx: Database, space: number, name: string): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(BRIEF_LOCK_MS)}, true),
      pg_advisory_xact_lock(${space}::integer, hashtext(${name}))
  `.execute(trx);
}
