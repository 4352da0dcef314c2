import { sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { hashSecret } from "../../../platform/core/secrets/secrets.ts";

/** Reads and writes by how many days the time of organizations is ahead. */
export function createTestClockRepository(db: Database) {
  return { ...bind(db, { find, findByPage }), addDay };
}

export type TestClockRepository = ReturnType<typeof createTestClockRepository>;

/** Returns by how many days an organization is ahead. */
async function find(db: Database, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom("billing_accounts")
    .select("days_ahead")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row?.days_ahead ?? 0;
}

/** Returns by how many days the organization is ahead that pays at a page of the test driver. `token` is the page's secret. */
async function findByPage(db: Database, token: string): Promise<number> {
  const hash = hashSecret(token);
  const { rows } = await sql<{ days_ahead: number }>`
    select days_ahead from billing_accounts where organization_id in (
      select organization_id from checkout_sessions where secret_hash = ${hash}
      union select organization_id from portal_sessions where secret_hash = ${hash}
      union select organization_id from setup_intents where authentication_hash = ${hash}
      union select organization_id from test_charges join payments on payments.id = idempotency_key
        where authentication_hash = ${hash})`.execute(db);
  return rows[0]?.days_ahead ?? 0;
}

/** Advances an organization, whose account is locked, by a day. Returns by how many days it is ahead then; null at the maximum. */
async function addDay(organizationId: string, maxDays: number, trx: Database): Promise<number | null> {
  const row = await trx
    .updateTable("billing_accounts")
    .set((eb) => ({ days_ahead: eb("days_ahead", "+", 1) }))
    .where("organization_id", "=", organizationId)
    .where("days_ahead", "<", maxDays)
    .returning("days_ahead")
    .executeTakeFirst();
  return row?.days_ahead ?? null;
}
