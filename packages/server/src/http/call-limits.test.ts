import { afterEach, beforeEach, expect, test } from "vitest";
import type { RateLimitName } from "../platform/core/http/rate-limits.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const ADDRESS = "127.0.0.1";
let server: TestServer;
let user: Account;

beforeEach(async () => {
  server = await createTestServer({ env: { FEATHER_RATE_LIMITS: "on" } });
  user = await server.signUp();
});
afterEach(() => server.close());

/** Uses up the calls that an account, or visitors at one address, may make within ten minutes. */
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

test("requests with a body by callers without a credential are limited by address", async () => {
  const body = { email: "nobody@example.com" };
  const forgot = () => server.call("/api/auth/forgot-password", { body });
  await useUp("visitorWrite", 2_998); // signing up was one
  expect((await forgot()).status).toBe(202);
  const refused = await forgot();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await server.call("/api/config")).status).toBe(200);
  const key = await server.call("/api/api-keys", { token: user.token, body: { name: "mine" } });
  expect(key.status).toBe(201);
});

test("calls above a limit are recorded once in the audit log, also those of unknown callers", async () => {
  await useUp("coupon", 60);
  await useUp("search", 1_200);
  for (let call = 0; call < 3; call++) {
    await server.call("/api/subscription/coupons/GUESS1", { token: user.token });
    await server.call("/api/feather/models?search=qwen");
  }
  await server.api.audit.denialLog.settled();
  const rows = await server.db
    .selectFrom("audit_log")
    .select(["actor_user_id", "credential", "ip", "details"])
    .where("action", "=", "access.denied")
    .orderBy("sequence")
    .execute();
  const reason = "rate_limit_exceeded";
  expect(rows).toMatchObject([
    {
      actor_user_id: user.userId,
      credential: expect.stringMatching(/^session:/),
      ip: ADDRESS,
      details: { operation: "subscription.coupons.get", reason },
    },
    { actor_user_id: null, credential: null, ip: ADDRESS, details: { operation: "models.list", reason } },
  ]);
});
