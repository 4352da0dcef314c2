import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { toModelState } from "./error-rates.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
let server: TestServer;
let admin: Account;
let user: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
  admin = await server.signInAdmin();
  user = await server.signUp();
});
afterAll(() => server.close());

async function request(fields: object = {}) {
  counter += 1;
  await server.db
    .insertInto("requests")
    .values({
      id: `req_${counter}`,
      organization_id: user.organizationId,
      model_id: "feather/demo",
      model_class_id: "demo",
      backend: "engine",
      kind: "chat",
      outcome: "completed",
      status: 200,
      streamed: true,
      prompt_tokens: 10,
      completion_tokens: 100,
      units: 1,
      started_at: clock.now(),
      first_byte_ms: 100,
      duration_ms: 1_100,
      ...fields,
    })
    .execute();
}

type Rates = { items: { model_class: string; model_id: string | null }[] };
const rates = async (query = "") => (await server.call(`/api/feather/status/error-rates${query}`)).body as Rates;

describe("error rates", () => {
  test("error rates cover the last hour, with speed and time to the first token", async () => {
    await request({ started_at: new Date(clock.at - 61 * MINUTE_MS), model_class_id: "old" });
    for (const first_byte_ms of [100, 200, 300]) await request({ first_byte_ms, duration_ms: first_byte_ms + 1_000 });
    await request({ outcome: "failed", status: 502, first_byte_ms: null, completion_tokens: 0, duration_ms: 5 });
    await request({ outcome: "aborted", status: 499 });
    await request({ outcome: "failed", status: 400, first_byte_ms: null, completion_tokens: 0 });
    clock.at += MINUTE_MS / 2;
    expect((await rates()).items).toEqual([
      {
        model_class: "demo",
        model_id: null,
        requests: 6,
        errors: 1,
        error_rate: 0.1667,
        p50_ttft_ms: 200,
        p95_ttft_ms: 290,
        tokens_per_s: 100,
        state: "degraded",
      },
    ]);
  });

  test("returns no speed for responses that were written at once", async () => {
    await request({ model_class_id: "instant", first_byte_ms: 200, duration_ms: 240, completion_tokens: 5_000 });
    clock.at += MINUTE_MS / 2; // answers are kept for a while
    const { items } = await rates();
    expect(items.find(({ model_class }) => model_class === "instant")).toMatchObject({ tokens_per_s: null });
    await server.db.deleteFrom("requests").where("model_class_id", "=", "instant").execute();
    clock.at += MINUTE_MS / 2;
  });

  test("groups error rates by model without private models", async () => {
    const { model_class_id } = await server.db
      .selectFrom("models")
      .select("model_class_id")
      .where("id", "=", "feather/demo")
      .executeTakeFirstOrThrow();
    const key = privateModelKey(user.organizationId, "me/secret");
    const names = { id: key, id_lower: key.toLowerCase(), owned_by: "me", name: "secret", source: "private" };
    await server.db
      .insertInto("models")
      .values({ ...names, model_class_id, is_private: true, organization_id: user.organizationId })
      .execute();
    await request({ model_id: key });
    clock.at += MINUTE_MS / 2;
    expect((await rates("?group_by=model")).items.map(({ model_id }) => model_id)).toEqual(["feather/demo"]);
  });

  test.each([
    [{ requests: 100, errors: 0 }, "operational"],
    [{ requests: 100, errors: 4 }, "operational"],
    [{ requests: 100, errors: 5 }, "degraded"],
    [{ requests: 100, errors: 50 }, "down"],
    [{ requests: 1, errors: 1 }, "degraded"],
    [{ requests: 2, errors: 2 }, "down"],
    [{ requests: 3, errors: 2 }, "degraded"],
  ])("%o give the state %s", (figures, state) => {
    expect(toModelState(figures)).toBe(state);
  });
});

describe("the last day by the hour", () => {
  type Hour = { started_at: string; requests: number; errors: number; error_rate: number | null };
  const hours = async (query = "") =>
    ((await server.call(`/api/feather/status/history${query}`)).body as { items: Hour[] }).items;

  test("the last day by the hour returns 24 hours, the earliest first, with their requests", async () => {
    clock.at = Date.parse("2026-05-03T09:30:00Z");
    await request({ started_at: new Date("2026-05-02T09:59:59Z"), model_class_id: "hourly" });
    await request({ started_at: new Date("2026-05-02T10:00:00Z"), model_class_id: "hourly" });
    await request({ started_at: new Date("2026-05-03T09:10:00Z"), model_class_id: "hourly", first_byte_ms: 300 });
    await request({ model_class_id: "hourly", outcome: "failed", status: 502, completion_tokens: 0 });
    await request({ model_class_id: "other", outcome: "aborted", status: 499 });
    const all = await hours();
    expect(all).toHaveLength(24);
    expect(all.at(-1)).toMatchObject({ started_at: "2026-05-03T09:00:00.000Z", requests: 3, errors: 1 });
    const own = await hours("?model_class=hourly");
    expect(own[0]).toMatchObject({ started_at: "2026-05-02T10:00:00.000Z", requests: 1, errors: 0, error_rate: 0 });
    expect(own[1]).toEqual({
      started_at: "2026-05-02T11:00:00.000Z",
      requests: 0,
      errors: 0,
      error_rate: null,
      p50_ttft_ms: null,
      tokens_per_s: null,
    });
    expect(own.at(-1)).toMatchObject({ requests: 2, errors: 1, error_rate: 0.5, p50_ttft_ms: 300 });
  });

  test("the last day by the hour returns empty hours for a class without calls", async () => {
    expect((await hours("?model_class=nothing")).filter(({ requests }) => requests > 0)).toEqual([]);
  });
});

describe("incidents", () => {
  const listNotices = async () =>
    (
      (await server.call("/api/feather/status/incidents")).body as {
        items: { id: string; state: string; resolved_at: string | null }[];
      }
    ).items;
  const change = (id: string, body: object) =>
    server.call(`/api/admin/incidents/${id}`, { method: "PUT", token: admin.token, body });

  test("incidents creates, updates, resolves, reopens and deletes an incident", async () => {
    const { status, body } = await server.call("/api/admin/incidents", {
      token: admin.token,
      body: { title: "Slow", body: "We look into it.", state: "investigating" },
    });
    expect(status).toBe(201);
    const { id } = body as { id: string };
    clock.at += MINUTE_MS;
    expect((await change(id, { state: "resolved" })).body).toMatchObject({
      title: "Slow",
      resolved_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
    });
    expect((await change(id, { state: "monitoring" })).body).toMatchObject({ resolved_at: null });
    expect(await listNotices()).toMatchObject([{ id, state: "monitoring" }]);
    expect((await server.call(`/api/admin/incidents/${id}`, { method: "DELETE", token: admin.token })).status).toBe(
      204,
    );
    expect(await listNotices()).toEqual([]);
  });

  test("lists incidents until 90 days after they were resolved", async () => {
    const add = (state: string) =>
      server.call("/api/admin/incidents", { token: admin.token, body: { title: state, body: "…", state } });
    await add("resolved");
    await add("identified");
    clock.at += 91 * 86_400_000;
    expect((await listNotices()).map(({ state }) => state)).toEqual(["identified"]);
    clock.at -= 91 * 86_400_000; // the admin's session would have ended
  });

  test.each([{}, { state: "fine" }, { title: "" }, { started_at: "2026-01-01T00:00:00Z" }])(
    "rejects a change of an incident by %o",
    async (body) => {
      expect((await change("inc_none", body)).status).toBe(400);
    },
  );

  test("a change of an incident without a field is refused with what is missing", async () => {
    expect((await change("inc_none", {})).body).toMatchObject({
      message: "The body is not valid: it must have 1 field or more.",
    });
  });

  test("responds 404 for an unknown incident", async () => {
    expect((await change("inc_none", { title: "x" })).status).toBe(404);
    expect((await server.call("/api/admin/incidents/inc_none", { method: "DELETE", token: admin.token })).status).toBe(
      404,
    );
  });
});
