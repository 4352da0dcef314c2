import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { connectDatabase, type DatabaseConnection } from "../db/connect.ts";
import { chooseLimiters, deleteEndedLimits } from "./limiter.ts";

const LIMIT = { name: "login by address", points: 10, duration: 600 };
const PERIOD_MS = 600_000;
const clock = createTestClock("2026-05-01T12:00:00Z");
let database: DatabaseConnection;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom("rate_limits").execute();
});
afterAll(() => database.close());

const createLimiter = (db = database.db) => chooseLimiters({ db, clock, replicas: { isAlone: false } })(LIMIT);
const rows = () => database.db.selectFrom("rate_limits").selectAll().execute();

describe("a rate limit that several servers count", () => {
  test("a rate limit that several servers count counts concurrent requests to both together", async () => {
    const servers = [createLimiter(), createLimiter()];
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, index) => servers[index % 2]?.consume("198.51.100.1")),
    );
    expect(waits.filter((wait) => wait === null)).toHaveLength(10);
    expect(new Set(waits)).toEqual(new Set([null, PERIOD_MS]));
    expect(await servers[0]?.consume("198.51.100.2")).toBeNull();
  });

  test("a rate limit that several servers count refuses without a query what it has refused before, until the period ends", async () => {
    const limiter = createLimiter();
    for (let index = 0; index < 11; index++) await limiter.consume("198.51.100.1");
    const before = await rows();
    clock.at += PERIOD_MS - 1;
    expect(await limiter.consume("198.51.100.1")).toBe(1);
    expect(await rows()).toEqual(before);
    clock.at += 1;
    expect(await limiter.consume("198.51.100.1")).toBeNull();
    expect(await rows()).toMatchObject([{ points: 1, ends_at: new Date(clock.at + PERIOD_MS) }]);
  });

  test("a rate limit that several servers count does not lengthen its period by further requests", async () => {
    const limiter = createLimiter();
    await limiter.consume("198.51.100.1");
    const endsAt = new Date(clock.at + PERIOD_MS);
    clock.at += 1_000;
    await limiter.consume("198.51.100.1");
    expect(await rows()).toMatchObject([{ points: 2, ends_at: endsAt }]);
  });

  test("a rate limit that several servers count stores neither addresses nor accounts", async () => {
    await createLimiter().consume("198.51.100.1 ada@example.com");
    expect(JSON.stringify(await rows())).not.toMatch(/198|ada/);
  });

  test("a rate limit that several servers count takes keys of any length", async () => {
    await createLimiter().consume("x".repeat(10_000));
    expect(await rows()).toHaveLength(1);
  });

  test("a rate limit that several servers count is forgotten by the database when its period has ended, and not before", async () => {
    const limiter = createLimiter();
    await limiter.consume("old");
    clock.at += PERIOD_MS;
    await limiter.consume("new");
    await deleteEndedLimits(database.db, clock.now());
    expect(await rows()).toHaveLength(2);
    clock.at += 1;
    await deleteEndedLimits(database.db, clock.now());
    expect(await rows()).toHaveLength(1);
  });

  test("a rate limit that several servers count is counted by each server alone while the database does not answer", async () => {
    const away = connectDatabase({ host: "/nonexistent", user: "feather", database: "feather" });
    const limiter = createLimiter(away.db);
    const waits = [];
    for (let index = 0; index < 11; index++) waits.push(await limiter.consume("198.51.100.1"));
    expect(waits).toEqual([...Array<null>(10).fill(null), expect.any(Number)]);
    await away.close();
  });
});

test("a server that is alone counts in memory", async () => {
  const limiter = chooseLimiters({ db: database.db, clock, replicas: { isAlone: true } })(LIMIT);
  await limiter.consume("198.51.100.1");
  expect(await rows()).toEqual([]);
});
