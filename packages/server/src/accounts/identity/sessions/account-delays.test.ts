import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DatabaseConnection } from "../../../platform/core/db/connect.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import { createTestDatabase } from "../../../testing/database.ts";
import { createAccountDelays } from "./account-delays.ts";
import { createFailureCounts, deleteOldFailures } from "./failure-counts.ts";

const ADA = "ada@example.com";
const LAPTOP = "nonce of a laptop";
const TOO_MANY = expect.objectContaining({ status: 429 });

let database: DatabaseConnection;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom("password_failures").execute();
});

describe.each([
  ["in memory", true],
  ["in the database", false],
])("account delays counted %s", (_where, isAlone) => {
  async function setUp(failures: number, enabled = true) {
    const clock = createTestClock("2026-05-01T12:00:00Z");
    const failureCounts = createFailureCounts({ db: database.db, clock, replicas: { isAlone } });
    const delays = createAccountDelays({ clock, enabled, failureCounts });
    for (let index = 0; index < failures; index++) await delays.recordFailure(ADA, null);
    return { clock, delays };
  }

  test("account delays do not start before 20 wrong passwords", async () => {
    const { delays } = await setUp(19);
    await expect(delays.check(ADA, null)).resolves.toBeUndefined();
  });

  test("account delays double with each further wrong password, up to 15 minutes", async () => {
    const { clock, delays } = await setUp(20);
    const waits: number[] = [];
    for (let index = 0; index < 12; index++) {
      try {
        await delays.check(ADA, null);
      } catch (error) {
        waits.push(Number((error as { headers: Record<string, string> }).headers["retry-after"]));
      }
      clock.at += (waits.at(-1) ?? 0) * 1_000;
      await expect(delays.check(ADA, null)).resolves.toBeUndefined();
      await delays.recordFailure(ADA, null);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test("account delays do not apply to a known device", async () => {
    const { delays } = await setUp(50);
    await expect(delays.check(ADA, LAPTOP)).resolves.toBeUndefined();
    await expect(delays.check(ADA, null)).rejects.toEqual(TOO_MANY);
  });

  test("account delays do not grow by wrong passwords from a known device", async () => {
    const { delays } = await setUp(19);
    await delays.recordFailure(ADA, LAPTOP);
    await expect(delays.check(ADA, null)).resolves.toBeUndefined();
  });

  test("account delays apply to a known device for a day after ten wrong passwords in a row", async () => {
    const { clock, delays } = await setUp(20);
    for (let index = 0; index < 10; index++) {
      await expect(delays.check(ADA, LAPTOP)).resolves.toBeUndefined();
      await delays.recordFailure(ADA, LAPTOP);
    }
    await expect(delays.check(ADA, LAPTOP)).rejects.toEqual(TOO_MANY);
    clock.at += 23 * 3_600_000;
    for (let index = 0; index < 30; index++) await delays.recordFailure(ADA, null);
    await expect(delays.check(ADA, LAPTOP)).rejects.toEqual(TOO_MANY);
    clock.at += 3_600_000;
    for (let index = 0; index < 30; index++) await delays.recordFailure(ADA, null);
    await expect(delays.check(ADA, LAPTOP)).resolves.toBeUndefined();
  });

  test("account delays count wrong passwords of a locked device like those of unknown devices", async () => {
    const { delays } = await setUp(0);
    for (let index = 0; index < 29; index++) await delays.recordFailure(ADA, LAPTOP);
    await expect(delays.check(ADA, null)).resolves.toBeUndefined();
    await delays.recordFailure(ADA, LAPTOP);
    await expect(delays.check(ADA, null)).rejects.toEqual(TOO_MANY);
  });

  test("account delays are reset for account and device once the owner signs in", async () => {
    const { delays } = await setUp(30);
    for (let index = 0; index < 9; index++) await delays.recordFailure(ADA, LAPTOP);
    await delays.recordSuccess(ADA, LAPTOP);
    await expect(delays.check(ADA, null)).resolves.toBeUndefined();
    for (let index = 0; index < 9; index++) await delays.recordFailure(ADA, LAPTOP);
    for (let index = 0; index < 30; index++) await delays.recordFailure(ADA, null);
    await expect(delays.check(ADA, LAPTOP)).resolves.toBeUndefined();
  });

  test("account delays do not apply to other accounts", async () => {
    const { delays } = await setUp(30);
    await expect(delays.check("bo@example.com", null)).resolves.toBeUndefined();
  });

  test("account delays are off when rate limits are off", async () => {
    const { delays } = await setUp(100, false);
    await expect(delays.check(ADA, null)).resolves.toBeUndefined();
  });
});

test("wrong passwords in the database are forgotten after a day, and not before", async () => {
  const clock = createTestClock("2026-05-01T12:00:00Z");
  const counts = createFailureCounts({ db: database.db, clock, replicas: { isAlone: false } });
  await counts.add("old");
  clock.at += DAY_MS - 1;
  await counts.add("new");
  await deleteOldFailures(database.db, clock.now());
  expect((await counts.read("old")).count).toBe(1);
  clock.at += 1;
  expect((await counts.read("old")).count).toBe(0);
  await counts.add("old");
  expect((await counts.read("old")).count).toBe(1);
  clock.at += DAY_MS;
  await deleteOldFailures(database.db, clock.now());
  expect(await database.db.selectFrom("password_failures").selectAll().execute()).toHaveLength(1);
});
