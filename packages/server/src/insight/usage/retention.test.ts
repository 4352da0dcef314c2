import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings } from "../../config/settings.ts";
import type { UsageRow } from "../../gateway/index.ts";
import { verifyLedger } from "../../money/ledger/index.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const JOB = "keep usage by months";
const clock = createTestClock("2031-06-15T12:00:00Z");
let server: TestServer;
let user: Account;
/** The credits after all calls, and before any month was removed. */
let credits: unknown;
beforeAll(async () => {
  server = await createTestServer({ clock, env: { FEATHER_USAGE_RETENTION: "90" } });
  const admin = await server.signInAdmin();
  user = await server.signUp();
  await server.call(`/api/admin/users/${user.userId}/credits`, {
    token: admin.token,
    body: { amount_nano_usd: "1000000", reason: "Test" },
  });
  const metered = { billing_mode: "request_pricing", cost_status: "final", cost_nano_usd: "1000" };
  const rows = [
    row("january", "2031-01-10T10:20:00Z", metered),
    row("february", "2031-02-28T23:59:59Z", metered),
    row("march", "2031-03-01T00:00:00Z", metered),
    row("june", "2031-06-14T10:00:00Z", metered),
  ];
  await server.api.credits.settlement.write(rows, server.db);
  credits = await get("credits");
  await server.runJob(JOB);
});
afterAll(() => server.close());

const row = (id: string, startedAt: string, fields: Partial<UsageRow> = {}): UsageRow => ({
  id,
  organization_id: user.organizationId,
  model_id: "feather/demo",
  model_class_id: "demo",
  kind: "chat",
  outcome: "completed",
  status: 200,
  streamed: false,
  units: 1,
  started_at: startedAt,
  duration_ms: 1_000,
  prompt_tokens: 3,
  completion_tokens: 5,
  ...fields,
});
const get = async (path: string) => (await server.call(`/api/usage/${path}`, { token: user.token })).body;
const since = (start: string, end = "2031-06-15T12:00:00Z") =>
  `start=${Date.parse(start) / 1000}&end=${Date.parse(end) / 1000}`;
const storedIds = async () =>
  (await server.db.selectFrom("requests").select("id").orderBy("started_at").execute()).map(({ id }) => id);

test("months wholly older than the setting are removed, and no other", async () => {
  expect(await storedIds()).toEqual(["march", "june"]);
  clock.at += 14 * DAY_MS; // 90 days before is noon of 31 March
  await server.runJob(JOB);
  clock.at -= 14 * DAY_MS;
  expect(await storedIds()).toEqual(["march", "june"]);
  expect(await get("requests/february")).toMatchObject({ statusCode: 404 });
});

test("money does not depend on removed months", async () => {
  expect(credits).toMatchObject({ balance_nano_usd: "996000" });
  expect(await get("credits")).toEqual(credits);
  expect(await verifyLedger(server.db)).toEqual([]);
});

test("answers about time before the removed months say since when requests are kept", async () => {
  const kept = { kept_since_date: "2031-03-01T00:00:00.000Z" };
  const requests = await get(`activity/requests?${since("2031-01-01T00:00:00Z")}`);
  expect(requests).toMatchObject({
    ...kept,
    items: [{ id: "june" }, { id: "march" }],
    pagination: { total_items: 2 },
  });
  const allGone = await get(`activity/requests?${since("2031-01-01T00:00:00Z", "2031-02-01T00:00:00Z")}`);
  expect(allGone).toMatchObject({ ...kept, items: [], pagination: { total_items: 0 } });

  const byKey = await get(`activity/report?group_by=api_key&${since("2031-01-01T00:00:00Z")}`);
  expect(byKey).toMatchObject({ ...kept, items: [{ group: { api_key: "" }, request_count: 2 }] });
  const byModel = await get(`activity/report?group_by=model&${since("2031-01-01T00:00:00Z")}`);
  expect(byModel).toMatchObject({ ...kept, items: [{ request_count: 4, cost_nano_usd: "4000" }] });

  const units = await get(`concurrencies?bucket=day&${since("2031-01-01T00:00:00Z")}`);
  expect(units).toMatchObject({ ...kept, peak: 1 });
  expect((units as { items: unknown[] }).items[0]).toMatchObject({
    bucket_at: "2031-03-01T00:00:00.000Z",
    used_max: 1,
  });
  expect(await get(`concurrencies?bucket=day&${since("2031-01-01T00:00:00Z", "2031-02-01T00:00:00Z")}`)).toMatchObject({
    ...kept,
    items: [],
  });
});

test.each([
  ["2031-01-01T00:00:00Z", "2031-06-15T12:00:00Z", 4],
  ["2031-01-10T10:30:00Z", "2031-06-15T12:00:00Z", 4],
  ["2031-01-10T10:30:00Z", "2031-01-10T10:40:00Z", 1],
  ["2031-01-10T11:00:00Z", "2031-03-01T00:00:01Z", 2],
  ["2031-03-01T00:00:01Z", "2031-06-14T10:00:00Z", 0],
])("totals from %s to %s count the whole hours of removed requests", async (start, end, count) => {
  expect(await get(`activity/summary?${since(start, end)}`)).toMatchObject({ totals: { request_count: count } });
});

test("a server without the setting removes nothing", async () => {
  const other = await createTestServer({ clock });
  try {
    await other.db.insertInto("requests").values(row("a", "2001-01-01T00:00:00Z")).execute();
    await other.runJob(JOB);
    expect(await other.db.selectFrom("requests").select("id").execute()).toEqual([{ id: "a" }]);
  } finally {
    await other.close();
  }
});

test.each(["30", "0", "31.5", "a month", "36501"])("FEATHER_USAGE_RETENTION=%s is refused", (days) => {
  expect(() => readSettings({ FEATHER_USAGE_RETENTION: days }, "/nonexistent")).toThrow("FEATHER_USAGE_RETENTION");
});
