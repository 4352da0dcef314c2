import { afterEach, expect, test } from "vitest";
import { verifyLedger } from "../../../money/ledger/verify-ledger.ts";
import { createEmptyDatabase } from "../../../testing/database.ts";
import { migrateBefore } from "../../../testing/earlier-schemas.ts";
import type { DatabaseConnection } from "./connect.ts";
import { migrate } from "./migrate.ts";

const opened: DatabaseConnection[] = [];
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
});

/** Returns an empty database with the schema before a migration. */
async function databaseBefore(migration: string): Promise<DatabaseConnection> {
  const connection = await createEmptyDatabase();
  opened.push(connection);
  await migrateBefore(connection.pool, migration);
  return connection;
}

const ORGANIZATIONS = "insert into organizations (id, name) select 'org_' || n, 'Org' from generate_series(1, 4) n";

test("the migration of terms keeps price and interval of existing subscriptions", async () => {
  const { pool } = await databaseBefore("0027");
  await pool.query(ORGANIZATIONS);
  const plan = (id: string, cents: number, interval: string) =>
    pool.query(
      "insert into plans (id, name, description, price_usd_cents, billing_interval, audience, billing_mode, api_keys_max) values ($1, $1, $1, $2, $3, 'individual', 'subscription', 1)",
      [id, cents, interval],
    );
  await plan("by_month", 900, "month");
  await plan("by_year", 10_000, "year");
  const subscribe = (n: number, planId: string, interval: string, anchor: string | null, pending: string | null) =>
    pool.query(
      `insert into subscriptions (id, organization_id, plan_id, quantity, status, current_period_start_date, anchor_date,
         billing_interval, pending_plan_id, pending_quantity)
       values ($1, $2, $3, 1, 'active', now(), $4, $5, $6, $7)`,
      [`sub_${n}`, `org_${n}`, planId, anchor, interval, pending, pending === null ? null : 1],
    );
  await subscribe(1, "by_month", "month", "2026-01-01", null);
  await subscribe(2, "by_year", "month", "2026-01-01", null);
  await subscribe(3, "by_month", "year", "2026-01-01", "by_year");
  await subscribe(4, "by_month", "month", null, null);

  await migrate(pool);

  const { rows } = await pool.query(
    "select id, price_cents, pending_price_cents, pending_billing_interval from subscriptions order by id",
  );
  expect(rows).toEqual([
    { id: "sub_1", price_cents: 900, pending_price_cents: null, pending_billing_interval: null },
    { id: "sub_2", price_cents: 833, pending_price_cents: null, pending_billing_interval: null },
    { id: "sub_3", price_cents: 10_800, pending_price_cents: 10_000, pending_billing_interval: "year" },
    { id: "sub_4", price_cents: null, pending_price_cents: null, pending_billing_interval: null },
  ]);
});

test("the migration of the ledger opens balances and forfeits those of deleted organizations", async () => {
  const { db, pool } = await databaseBefore("0033");
  await pool.query(ORGANIZATIONS);
  await pool.query(
    "insert into billing_accounts (organization_id, balance_cents) values ('org_1', 1234), ('org_2', 0)",
  );
  const book = async (n: number, account: string, amount: number) => {
    await pool.query(
      "begin; insert into ledger_transactions (id, kind, description, reference, created_at) values " +
        `('txn_${n}', 'grant', 'Test', 'test:${n}', now()); ` +
        `insert into ledger_entries (transaction_id, account, amount_nano_usd) values ('txn_${n}', '${account}', ${amount}), ` +
        `('txn_${n}', 'promotions', ${-amount}); commit`,
    );
  };
  await book(1, "credits:org_1", 500);
  await book(2, "credits:org_gone", 300);
  await book(3, "commission:org_gone", -100);

  await migrate(pool);

  expect(await verifyLedger(db)).toEqual([]);
  const { rows } = await pool.query(
    "select account, balance_nano_usd::text as nano from ledger_accounts order by account",
  );
  expect(Object.fromEntries(rows.map(({ account, nano }) => [account, nano]))).toEqual({
    "balance:org_1": "12340000000",
    "commission:org_gone": "0",
    "credits:org_1": "500",
    "credits:org_gone": "0",
    forfeited: "200",
    promotions: "-700",
    "revenue:subscriptions": "-12340000000",
  });
});
