import { sql } from "kysely";
import type { Database } from "./connect.ts";

/** How long a process may hold a lock of `lockBriefly` without a sign of life, such as while its machine stands still. */
const BRIEF_LOCK_MS = 3_000;

/**
 * Takes an advisory lock until `trx` ends, for which other server processes wait: if this one stands still meanwhile,
 * PostgreSQL ends its transaction after three seconds. `space` is one of LOCKS.
 */
export async function lockBriefly(trx: Database, space: number, name: string): Promise<void> {
  await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(BRIEF_LOCK_MS)}, true),
      pg_advisory_xact_lock(${space}::integer, hashtext(${name}))
  `.execute(trx);
}
