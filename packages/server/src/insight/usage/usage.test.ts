import { createTestClock } from "@feather/testing/clock";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../platform/core/time.ts";
import { createChatRequest } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { createRefusalCounter } from "./refusal-counter.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
const NOON = clock.at;
let server: TestServer;
let admin: Account;
let user: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
  admin = await server.signInAdmin();
});
afterAll(() => server.close());
beforeEach(async () => {
  clock.at = NOON;
  user = await server.signUp();
});

function row(startedAt: number, fields: object = {}) {
  counter += 1;
  return {
    id: `req_usage${counter}`,
    organization_id: user.organizationId,
    model_id: "feather/demo",
    model_class_id: "demo",
    backend: "engine",
    kind: "chat",
    outcome: "completed",
    status: 200,
    streamed: false,
    prompt_tokens: 3,
    completion_tokens: 5,
    units: 1,
    started_at: new Date(startedAt),
    first_byte_ms: 10,
    duration_ms: 1_000,
    ...fields,
  };
}
const add = (...rows: ReturnType<typeof row>[]) => server.db.insertInto("requests").values(rows).execute();
const get = (path: string, token = user.token) => server.call(`/api/usage/${path}`, { token });
const seconds = (ms: number) => Math.floor(ms / 1000);

describe("activity", () => {
  test("activity sums exactly the requests of a period with partial hours", async () => {
    const times = Array.from({ length: 300 }, (_, index) => NOON - index * 7 * MINUTE_MS);
    await add(...times.map((at) => row(at)));
    for (const [start, end] of [
      [NOON - 20 * HOUR_MS, NOON],
      [NOON - 20 * HOUR_MS - 13 * MINUTE_MS, NOON - HOUR_MS - 17 * MINUTE_MS],
      [NOON - 50 * MINUTE_MS, NOON - 10 * MINUTE_MS],
      [NOON - 100 * MINUTE_MS, NOON - 55 * MINUTE_MS],
      [NOON - HOUR_MS, NOON - HOUR_MS],
    ] as const) {
      const inside = times.filter((at) => at >= start && at < end).length;
      const { body } = await get(`activity/summary?start=${seconds(start)}&end=${seconds(end)}`);
      expect(body).toMatchObject({
        start_date: new Date(start).toISOString(),
        end_date: new Date(end).toISOString(),
        totals: {
          request_count: inside,
          input_tokens: 3 * inside,
          output_tokens: 5 * inside,
          total_tokens: 8 * inside,
        },
      });
    }
  });

  test("activity lists the organization's own requests by page, the newest first", async () => {
    await add(row(NOON - 2 * MINUTE_MS, { id: "req_old" }), row(NOON - MINUTE_MS, { id: "req_new" }));
    const { body } = await get("activity/requests?perPage=1");
    expect(body).toMatchObject({ items: [{ id: "req_new" }], pagination: { total_items: 2, total_pages: 2 } });
    const other = await server.signUp();
    expect((await get("activity/requests", other.token)).body).toMatchObject({
      items: [],
      pagination: { total_items: 0 },
    });
    expect((await get("requests/req_new", other.token)).status).toBe(404);
    expect((await get("requests/req_new")).body).toMatchObject({
      id: "req_new",
      started_at: "2026-05-01T11:59:00.000Z",
    });
  });

  test("activity returns a receipt by the request id of a response", async () => {
    await server.addUpstream();
    const answer = await server.call("/v1/chat/completions", { token: user.token, body: createChatRequest() });
    await server.api.gateway.usageWriter.flush();
    const id = answer.headers.get("request-id");
    expect((await get(`requests/${id}`)).body).toMatchObject({ id, model: "feather/demo", outcome: "completed" });
    await server.removeUpstreams();
  });

  test("activity returns receipts that name the caller's deployment and no backend of the operator", async () => {
    const shared = row(NOON, { backend: "gpu-host-7" });
    const deployed = row(NOON, { backend: "dep_2bQ9" });
    await add(shared, deployed);
    const { text, body } = await get(`requests/${shared.id}`);
    expect([body, text.includes("gpu-host-7")]).toMatchObject([{ deployment_id: null }, false]);
    expect((await get(`requests/${deployed.id}`)).body).toMatchObject({ deployment_id: "dep_2bQ9" });
  });

  test.each([
    "activity/summary?start=2000000000000",
    "activity/summary?start=-1",
    "activity/summary?start=20&end=10",
    "activity/requests?start=yesterday",
    "concurrencies?bucket=second",
    `concurrencies?bucket=minute&start=0&end=${seconds(NOON)}`,
  ])("activity rejects %s", async (path) => {
    expect((await get(path)).status).toBe(400);
  });
});

describe("the report of an organization", () => {
  type Report = { items: { group: Record<string, string>; request_count: number }[] };
  const report = async (query: string, token = user.token) =>
    (await get(`activity/report?${query}`, token)).body as Report;
  const DAY = 24 * HOUR_MS;

  beforeEach(async () => {
    await add(
      row(NOON - HOUR_MS, { api_key_id: "key_one", cost_nano_usd: "7" }),
      row(NOON - 2 * HOUR_MS, { model_id: "Qwen/Qwen3-8B", api_key_id: "key_one" }),
      row(NOON - DAY, { outcome: "failed", status: 502 }),
    );
  });

  test("the report of an organization groups by day by default, the latest first", async () => {
    const figures = { error_count: 0, input_tokens: 6, output_tokens: 10, cost_nano_usd: "7" };
    expect((await report("")).items).toMatchObject([
      { group: { day: "2026-05-01" }, request_count: 2, ...figures },
      { group: { day: "2026-04-30" }, request_count: 1, error_count: 1 },
    ]);
  });

  test("the report of an organization counts the partial hours at both ends of a period exactly, so that days of a half-hour zone do not overlap", async () => {
    await add(row(NOON - 40 * MINUTE_MS), row(NOON - 20 * MINUTE_MS), row(NOON + 10 * MINUTE_MS));
    const edges = [NOON - 2 * DAY, NOON - 30 * MINUTE_MS, NOON + 15 * MINUTE_MS].map(seconds);
    const [before, after] = [
      await report(`start=${edges[0]}&end=${edges[1]}&group_by=outcome`),
      await report(`start=${edges[1]}&end=${edges[2]}&group_by=outcome`),
    ];
    expect(before.items.map(({ request_count }) => request_count)).toEqual([3, 1]);
    expect(after).toMatchObject({
      start_date: "2026-05-01T11:30:00.000Z",
      end_date: "2026-05-01T12:15:00.000Z",
      items: [{ request_count: 2 }],
    });
  });

  test.each([
    ["model", ["feather/demo 2", "Qwen/Qwen3-8B 1"]],
    ["api_key", ["key_one 2", " 1"]],
    ["outcome", ["completed 2", "failed 1"]],
    ["day,model", ["2026-05-01 Qwen/Qwen3-8B 1", "2026-05-01 feather/demo 1", "2026-04-30 feather/demo 1"]],
    ["hour,api_key", ["2026-05-01T11:00:00Z key_one 1", "2026-05-01T10:00:00Z key_one 1", "2026-04-30T12:00:00Z  1"]],
  ])("the report of an organization groups an organization's report by %s", async (groups, expected) => {
    const { items } = await report(`group_by=${groups}`);
    expect(items.map(({ group, request_count }) => [...Object.values(group), request_count].join(" "))).toEqual(
      expected,
    );
  });

  test("the report of an organization returns CSV without other organizations' usage and rejects unknown groups", async () => {
    const { text } = await get("activity/report?group_by=model&format=csv");
    expect(text.split("\r\n")[0]).toBe("model,request_count,error_count,input_tokens,output_tokens,cost_nano_usd");
    expect((await report("", (await server.signUp()).token)).items).toEqual([]);
    for (const groups of ["organization", "day,day", "day,model,outcome", "", "day;model"])
      expect([groups, (await get(`activity/report?group_by=${groups}`)).status]).toEqual([groups, 400]);
  });
});

describe("units over time", () => {
  type Units = {
    limit: number;
    peak: number;
    items: { bucket_at: string; used_max: number; used_avg: number; rejected: number }[];
  };

  test("the report of units over time returns maximum, average, the plan's limit and rejected calls for each slice", async () => {
    const start = NOON - 2 * HOUR_MS;
    await add(
      row(start, { units: 2, duration_ms: HOUR_MS }),
      row(start + 30 * MINUTE_MS, { units: 1, duration_ms: HOUR_MS }),
    );
    server.api.usage.refusals.add(user.organizationId);
    server.api.usage.refusals.add(user.organizationId);
    await server.api.usage.refusals.flush();
    const { body } = await get(`concurrencies?bucket=hour&start=${seconds(start)}&end=${seconds(NOON + 1000)}`);
    expect(body).toEqual({
      limit: 1,
      peak: 3,
      kept_since_date: null,
      items: [
        { bucket_at: new Date(start).toISOString(), used_max: 3, used_avg: 2.5, rejected: 0 },
        { bucket_at: new Date(start + HOUR_MS).toISOString(), used_max: 1, used_avg: 0.5, rejected: 0 },
        { bucket_at: new Date(NOON).toISOString(), used_max: 0, used_avg: 0, rejected: 2 },
      ],
    });
  });

  test("the report of units over time counts units from the moment a request leaves the queue", async () => {
    const start = NOON - HOUR_MS;
    await add(
      row(start, { duration_ms: 30 * MINUTE_MS }),
      row(start, { duration_ms: HOUR_MS, queued_ms: 30 * MINUTE_MS }),
      row(start, { duration_ms: HOUR_MS, units: 0 }),
    );
    const { body } = await get(`concurrencies?bucket=hour&start=${seconds(start)}&end=${seconds(NOON)}`);
    expect(body).toMatchObject({ peak: 1, items: [{ used_max: 1, used_avg: 1 }] });
  });

  test("the report of units over time refuses a period with more requests than can be read", async () => {
    const start = NOON - 10 * HOUR_MS;
    const sums = { requests: 1_000_001, errors: 0, prompt_tokens: 0, completion_tokens: 0 };
    const group = { model_id: "a/many", model_class_id: "qwen3-8b", backend: "", outcome: "completed" };
    const hour = { hour: new Date(start), organization_id: user.organizationId, ...group, ...sums };
    await server.db.insertInto("usage_hours").values(hour).execute();
    const statusOf = async (from: number, to: number) =>
      (await server.call(`/api/usage/concurrencies?start=${seconds(from)}&end=${seconds(to)}`, { token: user.token }))
        .status;
    expect(await statusOf(start, start + HOUR_MS)).toBe(400);
    expect(await statusOf(start + HOUR_MS, start + 2 * HOUR_MS)).toBe(200);
    await server.db.deleteFrom("usage_hours").where("model_id", "=", "a/many").execute();
  });

  test("the report of units over time counts running requests and calls that were rejected for lack of units", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const first = server.call("/v1/chat/completions", { token: user.token, body: createChatRequest() });
    await expect.poll(() => server.api.gateway.units.totalInUse()).toBe(1);
    const second = await server.call("/v1/chat/completions", { token: user.token, body: createChatRequest() });
    expect(second.status).toBe(429);
    await server.api.usage.refusals.flush();
    clock.at += 30_000;
    const units = (await get("concurrencies?bucket=minute")).body as Units;
    expect(units.items.at(-1)).toMatchObject({ used_max: 1, rejected: 1 });
    mayAnswer.resolve();
    await first;
    await server.api.gateway.usageWriter.flush(); // the next tests count all requests
    await server.removeUpstreams();
  });
});

test("reports that take long leave connections to the database for everything else", async () => {
  const reports = await server.db.transaction().execute(async (trx) => {
    await sql`lock table usage_hours in access exclusive mode`.execute(trx); // no report ends before this transaction
    const started = Array.from({ length: 20 }, () => get("activity/report"));
    const countWaiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_locks where not granted and relation = 'usage_hours'::regclass`.execute(
        trx,
      );
      return rows[0]?.count;
    };
    await expect.poll(countWaiting).toBe(3);
    for (let index = 0; index < 10; index++)
      expect((await server.call("/api/auth/me", { token: user.token })).status).toBe(200);
    expect(await countWaiting()).toBe(3);
    return started;
  });
  expect((await Promise.all(reports)).map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
});

test("rejected calls are counted also when those of a deleted organization are counted with them", async () => {
  const errors: unknown[] = [];
  const log = { error: (...details: unknown[]) => void errors.push(details) };
  const refusals = createRefusalCounter(server.db, clock, log);
  refusals.add("org_deleted");
  refusals.add(user.organizationId);
  await refusals.flush();
  expect(errors).toEqual([]);
  const rows = server.db.selectFrom("unit_refusals").select("refused");
  expect(await rows.where("organization_id", "=", user.organizationId).execute()).toEqual([{ refused: 1 }]);
});

describe("the report of admins", () => {
  const report = (body: object) => server.call("/api/admin/usage", { token: admin.token, body });
  const day = { start: seconds(NOON - 24 * HOUR_MS), end: seconds(NOON + HOUR_MS) };

  test("the report of admins groups the admins' report as requested", async () => {
    await server.db.deleteFrom("usage_hours").execute();
    await add(
      row(NOON),
      row(NOON, { outcome: "failed", status: 502, completion_tokens: 0 }),
      row(NOON, { model_id: "a/b" }),
    );
    const { body } = await report({ ...day, group_by: ["model", "outcome"] });
    const items = (body as { items: { group: object; request_count: number; error_count: number }[] }).items;
    expect(items).toHaveLength(3);
    expect(items).toContainEqual({
      group: { model: "feather/demo", outcome: "failed" },
      request_count: 1,
      error_count: 1,
      input_tokens: 3,
      output_tokens: 0,
      cost_nano_usd: "0",
      provider_cost_nano_usd: "0",
      margin_nano_usd: "0",
      unknown_cost_count: 0,
    });
    expect((await report(day)).body).toMatchObject({ items: [{ group: {}, request_count: 3, error_count: 1 }] });
    expect((await report({ ...day, group_by: ["day"] })).body).toMatchObject({
      items: [{ group: { day: "2026-05-01" } }],
    });
  });

  test("the report of admins returns CSV in which no name is a formula", async () => {
    await server.db.deleteFrom("usage_hours").execute();
    await add(row(NOON, { backend: '=HYPERLINK("x"),y' }));
    const { text, headers } = await report({ ...day, group_by: ["backend"], format: "csv" });
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(text).toBe(
      'backend,request_count,error_count,input_tokens,output_tokens,cost_nano_usd,provider_cost_nano_usd,margin_nano_usd,unknown_cost_count\r\n"\'=HYPERLINK(""x""),y",1,0,3,5,0,0,0,0\r\n',
    );
  });

  test.each([
    {},
    { start: 1 },
    { start: 10, end: 5 },
    { ...day, group_by: ["moon"] },
    { ...day, group_by: ["day", "day"] },
    { ...day, extra: 1 },
  ])("the report of admins rejects %o", async (body) => {
    expect((await report(body)).status).toBe(400);
  });
});
