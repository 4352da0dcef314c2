import { RateLimiterRes } from "rate-limiter-flexible";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { connectDatabase, type DatabaseConnection } from "../db/connect.ts";
import { chooseLimiters, deleteEndedLimits } from "./limiter.ts";

const LIMIT = { keyPrefix: "login by address", points: 10, duration: 600 };
const REFUSED = expect.any(RateLimiterRes);
let database: DatabaseConnection;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom("rate_limits").execute();
});
afterAll(() => database.close());

const createLimiter = (db = database.db) => chooseLimiters(db, { isAlone: false })(LIMIT);
const rows = () => database.db.selectFrom("rate_limits").selectAll().execute();

describe("a rate limit that several servers count", () => {
  test("counts concurrent requests to both together", async () => {
    const servers = [createLimiter(), createLimiter()];
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => servers[index % 2]?.consume("198.51.100.1")),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    await expect(servers[0]?.consume("198.51.100.2")).resolves.toBeDefined();
  });

  test("refuses without a query what it has refused before", async () => {
    const limiter = createLimiter();
    await Promise.allSettled(Array.from({ length: 11 }, () => limiter.consume("198.51.100.1")));
    const [before] = await rows();
    await expect(limiter.consume("198.51.100.1")).rejects.toEqual(REFUSED);
    expect(await rows()).toEqual([before]);
  });

  test("begins anew when its period has ended", async () => {
    await createLimiter().consume("198.51.100.1");
    await database.db
      .updateTable("rate_limits")
      .set({ points: 10, expire: Date.now() - 1 })
      .execute();
    await createLimiter().consume("198.51.100.1");
    expect(await rows()).toMatchObject([{ points: 1 }]);
  });

  test("stores neither addresses nor accounts", async () => {
    await createLimiter().consume("198.51.100.1 ada@example.com");
    expect(JSON.stringify(await rows())).not.toMatch(/198|ada/);
  });

  test("takes keys of any length", async () => {
    await createLimiter().consume("x".repeat(10_000));
    expect(await rows()).toHaveLength(1);
  });

  test("is forgotten by the database when its period has ended, and not before", async () => {
    const limiter = createLimiter();
    await limiter.consume("old");
    await database.db.updateTable("rate_limits").set({ expire: 1_000 }).execute();
    await limiter.consume("new");
    await deleteEndedLimits(database.db, new Date(1_000));
    expect(await rows()).toHaveLength(2);
    await deleteEndedLimits(database.db, new Date(1_001));
    expect(await rows()).toHaveLength(1);
  });

  test("is counted by each server alone while the database does not answer", async () => {
    const away = connectDatabase({ host: "/nonexistent", user: "feather", database: "feather" });
    const limiter = createLimiter(away.db);
    for (let index = 0; index < 10; index++) await limiter.consume("198.51.100.1");
    await expect(limiter.consume("198.51.100.1")).rejects.toEqual(REFUSED);
    await away.close();
  });
});

test("a server that is alone counts in memory", async () => {
  const limiter = chooseLimiters(database.db, { isAlone: true })(LIMIT);
  await limiter.consume("198.51.100.1");
  expect(await rows()).toEqual([]);
});
