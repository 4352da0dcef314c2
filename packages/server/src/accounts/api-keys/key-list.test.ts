import { createTestClock } from "@feather/testing/clock";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock("2026-11-30T12:00:00Z");
const NOW = clock.at;
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

const daysAgo = (days: number) => new Date(NOW - days * DAY_MS);

/** Adds a key of the owner's organization that is a year old and was used today. */
async function add(name: string, fields: object = {}): Promise<void> {
  counter += 1;
  const values = {
    id: `key_listed${counter}`,
    organization_id: owner.organizationId,
    created_by: owner.userId,
    name,
    prefix: "rc_1234",
    last4: "abcd",
    secret_hash: Buffer.from(`listed${counter}`),
    scopes: ["api.access"],
    created_at: daysAgo(365),
    last_used_at: daysAgo(0),
    ...fields,
  };
  await server.db.insertInto("api_keys").values(values).execute();
}

type Keys = { items: { name: string }[]; pagination: { total_items: number } };
async function list(query: string, { token } = owner): Promise<string[]> {
  const { body } = await server.call(`/api/api-keys?${query}`, { token });
  const { items, pagination } = body as Keys;
  expect(pagination.total_items).toBeGreaterThanOrEqual(items.length);
  return items.map(({ name }) => name);
}

describe("the states by which keys are listed", () => {
  beforeEach(async () => {
    await add("used");
    await add("off", { disabled: true, last_used_at: daysAgo(200) });
    await add("ended", { expires_at: daysAgo(1), last_used_at: daysAgo(200) });
    await add("off and ended", { disabled: true, expires_at: daysAgo(1) });
    await add("ends later", { expires_at: daysAgo(-1) });
    await add("forgotten", { last_used_at: daysAgo(91) });
    await add("never used", { last_used_at: null });
    await add("new", { last_used_at: null, created_at: daysAgo(89) });
    await add("deleted", { deleted_at: daysAgo(1) });
  });

  test.each([
    ["active", ["ends later", "forgotten", "never used", "new", "used"]],
    ["disabled", ["off", "off and ended"]],
    ["expired", ["ended"]],
    ["unused", ["forgotten", "never used"]],
  ])("the state %s leaves %j", async (state, expected) => {
    expect(await list(`state=${state}&sort=name`)).toEqual(expected);
  });

  test("a state and a search hold together, and the count is that of what is left", async () => {
    expect(await list("state=active&search=use&sort=name")).toEqual(["never used", "used"]);
    const { body } = await server.call("/api/api-keys?state=active&perPage=2", { token: owner.token });
    expect((body as Keys).pagination).toMatchObject({ total_items: 5, total_pages: 3 });
  });

  test("a state that does not exist is refused", async () => {
    expect((await server.call("/api/api-keys?state=on", { token: owner.token })).status).toBe(400);
  });
});

describe("the search for keys", () => {
  test.each([
    ["LAP", ["laptop"]],
    ["%25", ["100%"]],
    ["_", ["snake_case"]],
    ["nothing", []],
  ])("the search for %s finds %j", async (search, expected) => {
    for (const name of ["laptop", "100%", "snake_case"]) await add(name);
    expect(await list(`search=${search}`)).toEqual(expected);
  });

  test("the search finds no key of another organization", async () => {
    await add("theirs");
    expect(await list("search=theirs", await server.signUp())).toEqual([]);
  });
});

test.each([
  ["name", ["alpha", "Beta", "gamma"]],
  ["-name", ["gamma", "Beta", "alpha"]],
  ["created_at", ["gamma", "alpha", "Beta"]],
  ["-created_at", ["Beta", "alpha", "gamma"]],
  ["last_used_at", ["Beta", "gamma", "alpha"]],
  ["-last_used_at", ["alpha", "gamma", "Beta"]],
])(
  "keys are sorted by %s, whatever the case of their names, and those never used come before all others",
  async (sort, expected) => {
    await add("gamma", { created_at: daysAgo(9), last_used_at: daysAgo(5) });
    await add("alpha", { created_at: daysAgo(8), last_used_at: daysAgo(1) });
    await add("Beta", { created_at: daysAgo(7), last_used_at: null });
    expect(await list(`sort=${sort}`)).toEqual(expected);
    expect(await list(`sort=${sort}&perPage=1&page=2`)).toEqual([expected[1]]);
  },
);

test("among the keys of many organizations, a list reads only those of its own", async () => {
  await sql`
    insert into api_keys (id, organization_id, created_by, name, prefix, last4, secret_hash, scopes)
    select 'key_many' || number, ${owner.organizationId}, ${owner.userId}, 'key ' || number, 'rc_1', 'abcd',
      decode(md5(number::text), 'hex'), '{api.access}'
    from generate_series(1, 3000) as number`.execute(server.db);
  const other = await server.signUp();
  await sql`analyze api_keys`.execute(server.db);
  const { rows } = await sql<{ "QUERY PLAN": string }>`
    explain select * from api_keys where organization_id = ${other.organizationId} and deleted_at is null
      and name ilike '%1%' order by lower(name) limit 50`.execute(server.db);
  const plan = rows.map((line) => line["QUERY PLAN"]).join("\n");
  expect(plan).toContain("api_keys_by_organization");
  expect(plan).not.toContain("Seq Scan");
});
