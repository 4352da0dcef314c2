import { afterEach, beforeEach, expect, test } from "vitest";
import type { RateLimitName } from "../core/http/rate-limits.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const ADDRESS = "127.0.0.1";
let server: TestServer;
let user: Account;

beforeEach(async () => {
  server = await createTestServer({ env: { FEATHER_RATE_LIMITS: "on" } });
  user = await server.signUp();
});
afterEach(() => server.close());

/** Uses up what one account, or visitors of one address, may do within ten minutes. */
async function useUp(what: RateLimitName, times: number, account?: string): Promise<void> {
  for (let time = 0; time < times; time++) await server.platform.limits.consume(what, ADDRESS, account);
}

type Case = [what: string, limit: RateLimitName, perAccount: number, method: string, path: string];
const CASES: Case[] = [
  ["looking a coupon up", "coupon", 30, "GET", "/api/subscription/coupons/GUESS1"],
  ["using a coupon", "coupon", 30, "POST", "/api/subscription/coupons/GUESS1"],
  [
    "asking whether a model could be hosted",
    "hub",
    30,
    "GET",
    "/api/feather/private-models/nobody%2Fnothing/compatibility",
  ],
];

test.each(CASES)("%s is limited per account, with a retry-after", async (_what, limit, most, method, path) => {
  await useUp(limit, most - 1, user.userId);
  const last = await server.call(path, { token: user.token, method });
  expect(last.status).not.toBe(429);
  const refused = await server.call(path, { token: user.token, method });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("guesses at coupons from one address are limited across accounts", async () => {
  for (let guess = 0; guess < 60; guess++)
    await server.platform.limits.consume("coupon", ADDRESS, `usr_${guess}`).catch(() => {});
  expect((await server.call("/api/subscription/coupons/GUESS1", { token: user.token })).status).toBe(429);
});

test("catalogue searches of visitors are limited per address, across both endpoints", async () => {
  await useUp("search", 1_198);
  expect((await server.call("/api/v1/models?q=qwen")).status).toBe(200);
  expect((await server.call("/api/feather/models?search=qwen")).status).toBe(200);
  expect((await server.call("/api/feather/models?search=qwen")).status).toBe(429);
  expect((await server.call("/api/v1/models?q=qwen")).status).toBe(429);
});
