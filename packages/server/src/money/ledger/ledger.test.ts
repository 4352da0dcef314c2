import { fc } from "@feather/testing/properties";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../platform/core/clock.ts";
import type { DatabaseConnection } from "../../platform/core/db/connect.ts";
import { randomIds } from "../../platform/core/ids.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { createLedger, type Ledger, type LedgerAccount, type LedgerTransaction } from "./ledger.ts";
import { verifyLedger } from "./verify-ledger.ts";

let database: DatabaseConnection;
let ledger: Ledger;
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = createLedger(database.db, systemClock, randomIds);
  const ids = ["org_a", "org_rich", "org_once", "org_race", "org_later", "x", "y"];
  await database.db
    .insertInto("organizations")
    .values(ids.map((id) => ({ id, name: id })))
    .execute();
});
afterAll(() => database.close());

const reference = () => `test:${++counter}`;
const move = (from: LedgerAccount, to: LedgerAccount, amount: bigint, more: Partial<LedgerTransaction> = {}) => ({
  kind: "adjustment" as const,
  organizationId: null,
  description: "Test",
  reference: reference(),
  entries: [
    { account: from, amountNano: -amount },
    { account: to, amountNano: amount },
  ],
  ...more,
});

describe("the ledger", () => {
  test("the ledger posts what leaves one account to another", async () => {
    await ledger.post(move("cash", "credits:org_a", 5_000_000_000n));
    await ledger.post(move("credits:org_a", "revenue:usage", 1n));
    expect(await ledger.balance("credits:org_a")).toBe(4_999_999_999n);
    expect(await ledger.balance("revenue:usage")).toBe(1n);
    expect(await ledger.balance("credits:org_unknown")).toBe(0n);
  });

  test("the ledger holds amounts beyond the safe integer range", async () => {
    const amount = 123_456_789_012_345_678_901_234_567n;
    await ledger.post(move("promotions", "credits:org_rich", amount));
    expect(await ledger.balance("credits:org_rich")).toBe(amount);
  });

  test("the ledger posts the same event once, and returns the earlier transaction", async () => {
    const event = move("cash", "credits:org_once", 7n);
    const ids = await Promise.all(Array.from({ length: 50 }, () => ledger.post(event)));
    expect(new Set(ids).size).toBe(1);
    expect(await ledger.balance("credits:org_once")).toBe(7n);
    expect(await ledger.postOnce(event)).toEqual({ id: ids[0], reference: event.reference, isNew: false });
  });

  test("the ledger posts nothing if the surrounding transaction does not commit", async () => {
    const event = move("cash", "credits:org_undone", 7n);
    const undone = database.db.transaction().execute(async (trx) => {
      await ledger.post(event, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await ledger.balance("credits:org_undone")).toBe(0n);
    expect(await ledger.isPosted(event.reference)).toBe(false);
  });

  test.each([
    ["sums to something", [1n, 2n]],
    ["has one entry", [0n]],
    ["has no entries", []],
  ])("the ledger rejects a transaction that %s", async (_what, amounts) => {
    const entries = amounts.map((amountNano, index) => ({ account: `credits:${index}` as const, amountNano }));
    await expect(ledger.post(move("cash", "cash", 1n, { entries }))).rejects.toThrow();
  });

  test("the ledger keeps credits from falling below zero under fifty concurrent postings", async () => {
    await ledger.post(move("cash", "credits:org_race", 10n));
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => ledger.post(move("credits:org_race", "revenue:usage", 3n))),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await ledger.balance("credits:org_race")).toBe(1n);
  });
});

describe("the database", () => {
  test("the database of the ledger rejects entries that do not sum to zero at commit", async () => {
    const unbalanced = database.db.transaction().execute(async (trx) => {
      await sql`insert into ledger_transactions values ('txn_bad', 'grant', null, '', 'bad', null, now())`.execute(trx);
      await sql`insert into ledger_entries (transaction_id, account, amount_nano_usd) values ('txn_bad', 'cash', 1)`.execute(
        trx,
      );
    });
    await expect(unbalanced).rejects.toThrow("sum to 1, not to zero");
    expect(await ledger.isPosted("bad")).toBe(false);
  });

  test("the database of the ledger rejects an entry added to an earlier transaction", async () => {
    const id = await ledger.post(move("cash", "credits:org_later", 1n));
    const later = sql`insert into ledger_entries (transaction_id, account, amount_nano_usd) values (${id}, 'payouts', 1)`;
    await expect(later.execute(database.db)).rejects.toThrow("not to zero");
  });

  test.each([
    "update ledger_transactions set description = 'x'",
    "delete from ledger_transactions",
    "truncate ledger_transactions cascade",
    "update ledger_entries set amount_nano_usd = 1",
    "delete from ledger_entries",
    "truncate ledger_entries",
  ])("the database of the ledger rejects: %s", async (statement) => {
    await expect(sql.raw(statement).execute(database.db)).rejects.toThrow("append-only");
  });
});

describe("concurrent transactions", () => {
  const accounts: LedgerAccount[] = ["cash", "credits:x", "credits:y", "promotions", "revenue:usage", "commission:x"];
  const parts = fc.uniqueArray(fc.constantFrom(...accounts), { minLength: 2, maxLength: 4 }).chain((names) =>
    fc
      .array(fc.bigInt({ min: -1_000n, max: 1_000n }), { minLength: names.length - 1, maxLength: names.length - 1 })
      .map((amounts) => {
        const rest = -amounts.reduce((sum, amount) => sum + amount, 0n);
        return names.map((account, index) => ({ account, amountNano: amounts[index] ?? rest }));
      }),
  );

  test("concurrent transactions leave a ledger that adds up", async () => {
    const property = fc.asyncProperty(fc.array(parts, { minLength: 1, maxLength: 20 }), async (all) => {
      const posts = all.map((entries) => ledger.post(move("cash", "cash", 1n, { entries })));
      const results = await Promise.allSettled(posts);
      // Some would take credits below zero or move nothing, so that a constraint rejects them. None may fail for another
      // reason, such as a deadlock.
      const reasons = results.filter((result) => result.status === "rejected").map(({ reason }) => String(reason));
      expect(reasons.filter((reason) => !/check constraint/.test(reason))).toEqual([]);
      expect(await verifyLedger(database.db)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});
