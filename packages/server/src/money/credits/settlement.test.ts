import { createTestClock } from "@feather/testing/clock";
import { fc } from "@feather/testing/properties";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { UsageRow } from "../../gateway/usage/usage-writer.ts";
import type { DatabaseConnection } from "../../platform/core/db/connect.ts";
import { randomIds } from "../../platform/core/ids.ts";
import { createEventOutbox } from "../../platform/webhooks/index.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { createTestMail } from "../../testing/outbox.ts";
import { createBudgetSpending, createBudgetsRepository } from "../budgets/index.ts";
import { createLedger } from "../ledger/ledger.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { createCredits } from "./credits.ts";
import { createReservations } from "./reservations.ts";
import { createSettlement } from "./settlement.ts";

const clock = createTestClock("2026-11-18T12:00:00Z");
const ledgerOf = ({ db }: DatabaseConnection) => createLedger(db, clock, randomIds);
let database: DatabaseConnection;
let organizationId = "";
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  organizationId = await newOrganization();
});
afterAll(() => database.close());

async function newOrganization(): Promise<string> {
  const id = `org_test_${++counter}`;
  await database.db.insertInto("organizations").values({ id, name: id }).execute();
  return id;
}
const credits = () => createCredits(database.db, ledgerOf(database));
const grant = (amount: bigint) =>
  credits().grant(organizationId, amount, { kind: "grant", description: "", reference: `test:${++counter}` });
const balance = () => credits().balance(organizationId);
const shared = {
  get ledger() {
    return ledgerOf(database);
  },
  events: createEventOutbox({ clock, ids: randomIds }),
  get budgetSpending() {
    const { db } = database;
    return createBudgetSpending({
      db,
      budgetsRepository: createBudgetsRepository(db),
      events: createEventOutbox({ clock, ids: randomIds }),
      mail: createTestMail(db, clock),
      clock,
    });
  },
  clock,
};
/** Creates the parts that each server process has for itself. */
function newProcess() {
  const reservations = createReservations(database.db, {
    ...shared,
    drawCredits: async () => ({ isDrawn: false, reason: null }),
  });
  return { reservations, settlement: createSettlement({ ...shared, reservations }) };
}
const newRequest = (amountNano: bigint) => ({
  requestId: `req_test_${++counter}`,
  organizationId,
  userId: null,
  apiKeyId: null,
  amountNano,
});
const row = (id: string, cost: bigint, more: Partial<UsageRow> = {}): UsageRow => ({
  id,
  organization_id: organizationId,
  model_id: "o/n",
  model_class_id: "c",
  kind: "chat",
  outcome: "completed",
  status: 200,
  streamed: false,
  units: 1,
  started_at: clock.now(),
  duration_ms: 1,
  billing_mode: "request_pricing",
  cost_status: "final",
  cost_nano_usd: String(cost),
  ...more,
});
async function newKey(limit: bigint | null): Promise<string> {
  const id = `key_test_${++counter}`;
  const key = { id, organization_id: organizationId, name: "", prefix: "", last4: "", scopes: [] };
  const spend_limit_nano_usd = limit === null ? null : String(limit);
  await database.db
    .insertInto("api_keys")
    .values({ ...key, secret_hash: Buffer.from(id), spend_limit_nano_usd })
    .execute();
  return id;
}
async function spentBy(id: string): Promise<bigint> {
  const days = await database.db.selectFrom("api_key_spend").selectAll().where("api_key_id", "=", id).execute();
  return days.reduce((sum, { spent_nano_usd }) => sum + BigInt(spent_nano_usd), 0n);
}
const isWritten = async (id: string) =>
  (await database.db.selectFrom("requests").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

describe("settlement", () => {
  test("settlement charges a request once when its row is written repeatedly", async () => {
    await grant(10n);
    const { reservations, settlement } = newProcess();
    const request = newRequest(5n);
    await reservations.reserve(request);
    await Promise.all([1, 2, 3].map(() => settlement.write([row(request.requestId, 4n)], database.db)));
    expect(await balance()).toEqual({ balance: 6n, reserved: 0n, available: 6n });
  });

  test("settlement counts a request for its key once", async () => {
    await grant(10n);
    const id = await newKey(null);
    const { settlement } = newProcess();
    const charged = row(`req_test_${++counter}`, 4n, { api_key_id: id });
    for (const rows of [[charged], [charged, row(`req_test_${++counter}`, 1n, { api_key_id: id })]])
      await settlement.write(rows, database.db);
    expect(await spentBy(id)).toBe(5n);
  });

  test("settlement writes the row, charges and releases the reservation, or does none of it", async () => {
    await grant(10n);
    const { reservations } = newProcess();
    const request = newRequest(5n);
    await reservations.reserve(request);
    const broken = { ...ledgerOf(database), postAll: () => Promise.reject(new Error("out of order")) };
    const settlement = createSettlement({ ...shared, ledger: broken, reservations });
    await expect(settlement.write([row(request.requestId, 4n)], database.db)).rejects.toThrow("out of order");
    expect(await isWritten(request.requestId)).toBe(false);
    expect(await balance()).toEqual({ balance: 10n, reserved: 5n, available: 5n });
  });

  test("settlement writes rows of flat and metered plans together", async () => {
    await grant(10n);
    const { settlement } = newProcess();
    const flat = row("req_flat", 0n, { billing_mode: "subscription", cost_status: "not_applicable" });
    await settlement.write([flat, row("req_metered", 4n)], database.db);
    expect([await isWritten("req_flat"), await isWritten("req_metered")]).toEqual([true, true]);
    expect((await balance()).balance).toBe(6n);
  });

  test("settlement charges the requests of a batch no more than the available credits", async () => {
    await grant(10n);
    const { settlement } = newProcess();
    const ids = [1, 2, 3].map(() => `req_test_${++counter}`);
    await settlement.write(
      ids.map((id) => row(id, 4n)),
      database.db,
    );
    const rows = await database.db.selectFrom("requests").select("cost_nano_usd").where("id", "in", ids).execute();
    expect(rows.map(({ cost_nano_usd }) => cost_nano_usd).sort()).toEqual(["2", "4", "4"]);
    expect((await balance()).balance).toBe(0n);
  });
});

describe("reservations of a process that died", () => {
  test("reservations of a process that died are released within 30 seconds, unlike those of living processes", async () => {
    await grant(10n);
    const [dead, living] = [newProcess(), newProcess()];
    await dead.reservations.reserve(newRequest(4n));
    await living.reservations.reserve(newRequest(3n));
    for (let seconds = 0; seconds < 30; seconds += living.reservations.job.everySeconds) {
      clock.at += living.reservations.job.everySeconds * 1000;
      await living.reservations.job.run();
    }
    expect(await balance()).toEqual({ balance: 10n, reserved: 3n, available: 7n });
  });

  test("reservations are not needed to charge a request that ends after its reservation expired", async () => {
    await grant(10n);
    const slow = newProcess();
    const request = newRequest(4n);
    await slow.reservations.reserve(request);
    clock.at += 60_000;
    await newProcess().reservations.job.run();
    expect((await balance()).reserved).toBe(0n);
    await slow.settlement.write([row(request.requestId, 3n)], database.db);
    expect(await balance()).toEqual({ balance: 7n, reserved: 0n, available: 7n });
  });

  test("reservations are kept by their own process when the clock jumps", async () => {
    await grant(10n);
    const { reservations } = newProcess();
    await reservations.reserve(newRequest(4n));
    for (const jump of [600_000, -3_600_000, 600_000]) {
      clock.at += jump;
      await reservations.job.run();
    }
    expect((await balance()).reserved).toBe(4n);
  });

  test("reservations expire for a row that the database rejects", async () => {
    await grant(10n);
    const { reservations, settlement } = newProcess();
    const request = newRequest(4n);
    await reservations.reserve(request);
    settlement.discard(row(request.requestId, 1n));
    clock.at += 30_000;
    await reservations.job.run();
    expect((await balance()).reserved).toBe(0n);
  });
});

describe("any order of reservations, settlements, crashes and grants", () => {
  const step = fc.record({
    amount: fc.bigInt({ min: 0n, max: 40n }),
    cost: fc.bigInt({ min: 0n, max: 60n }),
    process: fc.nat({ max: 1 }),
    end: fc.constantFrom("settled", "settled twice", "failed", "died", "taken by an admin"),
  });

  test("any order of reservations, settlements, crashes and grants leaves no credits below zero and nothing reserved", async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      organizationId = await newOrganization();
      const start = 100n;
      await grant(start);
      const processes = [newProcess(), newProcess()] as const;
      const own = organizationId;
      const below: string[] = [];
      const look = async () => {
        const now = await credits().balance(own);
        if (now.balance < 0n || now.available < 0n) below.push(`${now.balance} ${now.available}`);
      };
      await Promise.all(
        steps.map(async ({ amount, cost, process, end }) => {
          const { reservations, settlement } = processes[process] ?? processes[0];
          if (end === "taken by an admin") return void (await grant(-amount - 1n).catch(() => {}));
          const request = newRequest(amount);
          const refused = await reservations.reserve(request).catch((error: unknown) => error);
          await look();
          if (refused || end === "died") return;
          const charged = row(request.requestId, end === "failed" ? 0n : cost, { organization_id: own });
          for (let times = end === "settled twice" ? 2 : 1; times > 0; times--)
            await settlement.write([charged], database.db);
          await look();
        }),
      );
      clock.at += 30_000;
      await newProcess().reservations.job.run();
      expect(below).toEqual([]);
      const { balance: left, reserved } = await credits().balance(own);
      expect(reserved).toBe(0n);
      const moved = await database.db
        .selectFrom("ledger_entries")
        .select("amount_nano_usd")
        .where("account", "=", `credits:${own}`)
        .execute();
      expect(moved.reduce((sum, { amount_nano_usd }) => sum + BigInt(amount_nano_usd), 0n)).toBe(left);
      expect(await verifyLedger(database.db)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 30 });
  });
});

describe("any requests of a key with a spend limit", () => {
  const request = fc.record({ amount: fc.bigInt({ min: 0n, max: 30n }), part: fc.bigInt({ min: 0n, max: 4n }) });

  test("any requests of a key with a spend limit never cost more than the limit when none costs more than its reservation", async () => {
    const property = fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 25 }), async (requests) => {
      await grant(1_000n);
      const id = await newKey(60n);
      const processes = [newProcess(), newProcess()] as const;
      const answered = await Promise.all(
        requests.map(async ({ amount, part }, index) => {
          const { reservations, settlement } = processes[index % 2] ?? processes[0];
          const keyRequest = { ...newRequest(amount), apiKeyId: id };
          const refused = await reservations.reserve(keyRequest).catch((error: unknown) => error);
          if (refused) return 0n;
          const cost = (amount * part) / 4n;
          await settlement.write([row(keyRequest.requestId, cost, { api_key_id: id })], database.db);
          return cost;
        }),
      );
      const spent = await spentBy(id);
      expect(spent).toBe(answered.reduce((sum, cost) => sum + cost, 0n));
      expect(spent).toBeLessThanOrEqual(60n);
      expect((await balance()).reserved).toBe(0n);
    });
    await fc.assert(property, { numRuns: 20 });
  });
});
