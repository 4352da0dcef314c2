import { createTestClock } from "@feather/testing/clock";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Role } from "../../platform/core/auth/permissions.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { hasConditions, type RequestFilter, selectFiltered } from "./filtered-requests.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
const NOON = clock.at;
let server: TestServer;
let owner: Account;
let counter = 0;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.signUp();
});

function row(fields: object = {}) {
  counter += 1;
  return {
    id: `req_filtered${counter}`,
    organization_id: owner.organizationId,
    user_id: owner.userId,
    model_id: "feather/demo",
    model_class_id: "demo",
    backend: "engine",
    place: "server",
    kind: "chat",
    outcome: "completed",
    status: 200,
    streamed: false,
    prompt_tokens: 3,
    completion_tokens: 5,
    cost_nano_usd: "7",
    units: 1,
    started_at: new Date(NOON - counter * 1000),
    first_byte_ms: 10,
    duration_ms: 1_000,
    ...fields,
  };
}
const add = (...rows: ReturnType<typeof row>[]) => server.db.insertInto("requests").values(rows).execute();
const list = (query: string, { token } = owner) => server.call(`/api/usage/activity/requests?${query}`, { token });

type Receipts = {
  items: { id: string; user_id: string | null }[];
  pagination: { total_items: number };
  totals: object;
};
const idsOf = ({ body }: { body: unknown }) => (body as Receipts).items.map(({ id }) => id);

/** Adds a member with a role to the owner's organization, and signs them in there. */
async function addMember(role: Role): Promise<Account> {
  const member = await server.signUp();
  const { organizationId: organization_id } = owner;
  await server.db.insertInto("memberships").values({ user_id: member.userId, organization_id, role }).execute();
  await server.call("/api/organization/switch", { token: member.token, body: { organization_id } });
  return member;
}

describe("the conditions of a list of requests", () => {
  test.each<[string, object]>([
    ["api_key_id=key_one", { api_key_id: "key_one" }],
    ["model=Qwen/Qwen3-8B", { model_id: "Qwen/Qwen3-8B" }],
    ["outcome=failed", { outcome: "failed", status: 502, error_code: "upstream_error" }],
    ["outcome=interrupted", { outcome: "interrupted" }],
    ["place=groq", { place: "groq" }],
    ["deployment_id=dep_one", { backend: "dep_one" }],
    ["id=req_exactly", { id: "req_exactly" }],
    ["id=req_exac", { id: "req_exactly2" }],
    ["model=Qwen/Qwen3-8B&outcome=failed", { model_id: "Qwen/Qwen3-8B", outcome: "failed" }],
  ])("the condition %s leaves the requests that fit it, and sums only them", async (query, fields) => {
    const matching = row(fields);
    await add(row({ api_key_id: "key_other" }), matching, row({ outcome: "aborted" }));
    const { body } = await list(query);
    expect(body).toMatchObject({
      items: [{ id: matching.id }],
      pagination: { total_items: 1, total_pages: 1 },
      totals: { request_count: 1, input_tokens: 3, output_tokens: 5, total_tokens: 8, total_cost_nano_usd: "7" },
    });
  });

  test("the word none as a key leaves the requests that were made without one", async () => {
    const withoutKey = row();
    await add(row({ api_key_id: "key_one" }), withoutKey);
    expect(idsOf(await list("api_key_id=none"))).toEqual([withoutKey.id]);
  });

  test("a private model is found by the id with which its organization calls it", async () => {
    const ownModel = row({ model_id: `${owner.organizationId}:acme/secret` });
    await add(ownModel, row({ model_id: "org_other:acme/secret" }));
    expect(idsOf(await list("model=acme/secret"))).toEqual([ownModel.id]);
    expect(idsOf(await list("model=org_other:acme/secret"))).not.toContain(ownModel.id);
  });

  test("the beginning of an id is compared as text, so that it holds no wildcard", async () => {
    await add(row({ id: "req_aXb" }), row({ id: "req_a_b" }));
    expect(idsOf(await list("id=req_a_"))).toEqual(["req_a_b"]);
    expect((await list("id=req_%25")).status).toBe(400);
    expect((await list("id=key_a")).status).toBe(400);
  });

  test("a condition applies within the period, and nothing that matches is an empty page with sums of zero", async () => {
    await add(row({ id: "req_before", api_key_id: "key_old", started_at: new Date(NOON - 40 * DAY_MS) }));
    expect((await list("api_key_id=key_old")).body).toMatchObject({
      items: [],
      pagination: { total_items: 0 },
      totals: { request_count: 0, total_tokens: 0, total_cost_nano_usd: "0" },
    });
    const start = (NOON - 50 * DAY_MS) / 1000;
    expect(idsOf(await list(`api_key_id=key_old&start=${start}`))).toEqual(["req_before"]);
  });

  test("without conditions the sums are those of the whole period, also of hours that are summed up", async () => {
    await add(row(), row({ started_at: new Date(NOON - 5 * HOUR_MS), cost_nano_usd: "12" }));
    expect((await list("")).body).toMatchObject({ totals: { request_count: 2, total_cost_nano_usd: "19" } });
  });

  test("requests are sorted by their time in both directions, and pages follow each other", async () => {
    await add(
      ...[3, 1, 2].map((minutes) =>
        row({ id: `req_sorted${minutes}`, started_at: new Date(NOON - minutes * MINUTE_MS) }),
      ),
    );
    expect(idsOf(await list("outcome=completed"))).toEqual(["req_sorted1", "req_sorted2", "req_sorted3"]);
    expect(idsOf(await list("sort=started_at&perPage=2"))).toEqual(["req_sorted3", "req_sorted2"]);
    expect(idsOf(await list("sort=started_at&perPage=2&page=2"))).toEqual(["req_sorted1"]);
    expect((await list("sort=cost_nano_usd")).status).toBe(400);
  });

  test("another organization's requests match no condition", async () => {
    await add(row({ id: "req_theirs", api_key_id: "key_theirs" }));
    const stranger = await server.signUp();
    for (const query of ["api_key_id=key_theirs", "id=req_theirs", `model=${owner.organizationId}:x`])
      expect((await list(query, stranger)).body).toMatchObject({ items: [], totals: { request_count: 0 } });
  });
});

describe("who made a request", () => {
  test.each<[Role, boolean]>([
    ["viewer", false],
    ["developer", false],
    ["editor", false],
    ["admin", true],
  ])("a member with the role %s sees who made the requests of others: %s", async (role, sees) => {
    const member = await addMember(role);
    const [theirs, own] = [row(), row({ user_id: member.userId })];
    await add(theirs, own);
    const { items } = (await list("", member)).body as Receipts;
    expect(items.map(({ id, user_id }) => [id, user_id])).toEqual([
      [theirs.id, sees ? owner.userId : null],
      [own.id, member.userId],
    ]);
    const receipt = await server.call(`/api/usage/requests/${theirs.id}`, { token: member.token });
    expect(receipt.body).toMatchObject({ user_id: sees ? owner.userId : null });
    expect((await list(`user_id=${owner.userId}`, member)).status).toBe(sees ? 200 : 403);
    expect(idsOf(await list(`user_id=${member.userId}`, member))).toEqual([own.id]);
  });

  test("a member who may not filter by others reads which permission is missing", async () => {
    const member = await addMember("developer");
    expect((await list(`user_id=${owner.userId}`, member)).body).toMatchObject({
      message: "Your role in this organization (developer) lacks the permission manage_members. Ask one of its admins.",
    });
  });
});

describe("the queries of a filtered list", () => {
  const PERIOD = { start: new Date(NOON - 7 * DAY_MS), end: new Date(NOON) };
  const FILTERS: readonly RequestFilter[] = [
    { api_key_id: "key_rare" },
    { api_key_id: "none" },
    { user_id: "usr_rare" },
    { model: "a/rare" },
    { outcome: "failed" },
    { place: "groq" },
    { deployment_id: "dep_rare" },
    { id: "req_rare" },
  ];

  test("among the requests of many organizations, every condition reads only those of the organization and the period", async () => {
    await sql`
      insert into requests (id, organization_id, model_id, model_class_id, kind, outcome, status, streamed, units, started_at, duration_ms)
      select 'req_many' || number, 'org_many' || number % 200, 'feather/demo', 'demo', 'chat', 'completed', 200, false, 1,
        ${new Date(NOON)}::timestamptz - number * interval '20 seconds', 10
      from generate_series(1, 60000) as number`.execute(server.db);
    await sql`analyze requests`.execute(server.db);
    for (const filter of FILTERS) {
      expect(hasConditions(filter)).toBe(true);
      const selected = selectFiltered(server.db, "org_many7", PERIOD, filter);
      for (const query of [
        selected.selectAll().orderBy("started_at", "desc").orderBy("id").limit(25),
        selected.select((eb) => eb.fn.countAll().as("count")),
      ]) {
        const plan = (await query.explain()).map((line) => line["QUERY PLAN"]).join("\n");
        expect(plan).toMatch(
          filter.id ? /Index Cond: \(\(id >= 'req_rare'/ : /Index Cond: \(\(organization_id = 'org_many7'/,
        );
        expect(plan).toMatch(/Index Cond:.*started_at >=/);
        expect(plan).not.toContain("Seq Scan");
      }
    }
  });
});
