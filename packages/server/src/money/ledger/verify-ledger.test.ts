import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { systemClock } from "../../platform/core/clock.ts";
import type { DatabaseConnection } from "../../platform/core/db/connect.ts";
import { randomIds } from "../../platform/core/ids.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { createLedger } from "./ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

const COMMAND = fileURLToPath(new URL("../../commands/verify-ledger.ts", import.meta.url));
let database: DatabaseConnection;

beforeAll(async () => {
  database = await createTestDatabase();
  const ledger = createLedger(database.db, systemClock, randomIds);
  await ledger.post({
    kind: "grant",
    organizationId: "org_1",
    description: "Test",
    reference: "test:1",
    entries: [
      { account: "promotions", amountNano: -10n },
      { account: "credits:org_1", amountNano: 10n },
    ],
  });
  await database.db.insertInto("organizations").values({ id: "org_1", name: "One" }).execute();
});
afterAll(() => database.close());

async function run(...args: string[]) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
  const { host, user } = inject("postgres");
  const url = `postgres://${user}@localhost/${rows[0]?.name}?host=${encodeURIComponent(host)}`;
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout } = spawnSync(process.execPath, [COMMAND, ...args], { env, encoding: "utf8" });
  return { status, stdout };
}

test("verify-ledger reports a ledger that adds up", async () => {
  expect(await run()).toEqual({ status: 0, stdout: "The ledger adds up.\n" });
});

test.each([
  [["--help"], 0],
  [["--fix"], 2],
])("verify-ledger with %j exits with %i", async (args, status) => expect((await run(...args)).status).toBe(status));

const request = (cost: number) =>
  `insert into requests (id, organization_id, model_id, model_class_id, kind, outcome, status, streamed, units, started_at,
     duration_ms, billing_mode, cost_nano_usd)
   values ('req_1', 'org_1', 'o/n', 'c', 'chat', 'completed', 200, false, 1, now(), 1, 'request_pricing', ${cost})`;

test.each([
  [
    "a balance that was changed",
    "update ledger_accounts set balance_nano_usd = 11 where account like 'credits:%'",
    ["Account credits:org_1 is kept at 11 with 1 entries, and its 1 entries sum to 10."],
  ],
  [
    "an account that is missing",
    "delete from ledger_accounts where account = 'promotions'",
    ["Account promotions is kept at 0 with 0 entries, and its 1 entries sum to -10."],
  ],
  [
    "an entry that was changed",
    "update ledger_entries set amount_nano_usd = 11 where account like 'credits:%'",
    [
      expect.stringMatching(/^Transaction txn_\w+ sums to 1, not to zero\.$/),
      "All entries together sum to 1, not to zero.",
      "Account credits:org_1 is kept at 10 with 1 entries, and its 1 entries sum to 11.",
    ],
  ],
  [
    "a transaction without entries",
    "insert into ledger_transactions values ('txn_x', 'grant', null, '', 'x', null, now())",
    ["Transaction txn_x has fewer than two entries."],
  ],
  [
    "metered usage that was not posted",
    `insert into metered_usage (id, organization_id, provider, reference, usage_id, offer, dimension, hour, started_at, ended_at, units,
      unit_price_nano_usd, status, is_test)
      values ('mus_1', 'org_1', 'aws', 'r', 'r', 'o', 'd', '2026-01-01', '2026-01-01', '2026-01-01', 3, 10, 'accepted', false)`,
    ["Account receivable:aws holds 0, and usage of 30 is metered that was neither refused nor paid out."],
  ],
  [
    "a payout of a marketplace that was not posted",
    `insert into marketplace_payouts (id, provider, reference, paid_on, amount_cents, fee_cents, is_test, created_at)
      values ('mpo_1', 'gcp', 'r', '2026-01-01', 2, 1, false, now())`,
    ["Account receivable:gcp holds 0, and usage of -30000000 is metered that was neither refused nor paid out."],
  ],
  ["a request that was not charged", request(5), ["Request req_1 cost 5, and the ledger booked 0 for it."]],
])("verify-ledger finds %s", async (_what, statement, findings) => {
  const undone = database.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx); // triggers and constraints look away
    await sql.raw(statement).execute(trx);
    throw { findings: await verifyLedger(trx) };
  });
  await expect(undone).rejects.toEqual({ findings });
});

test("verify-ledger reports what does not add up", async () => {
  await sql`update ledger_accounts set balance_nano_usd = 11 where account = 'credits:org_1'`.execute(database.db);
  const { status, stdout } = await run();
  expect([status, stdout]).toEqual([
    1,
    "Account credits:org_1 is kept at 11 with 1 entries, and its 1 entries sum to 10.\n",
  ]);
});
