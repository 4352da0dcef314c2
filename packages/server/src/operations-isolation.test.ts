import { waitFor } from "@feather/testing/wait-for";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  isAdminOnly,
  listProperties,
  OPERATIONS,
  rowsOf,
  toPath,
  type WalkedOperation,
} from "./testing/contract-walk.ts";
import { createFakeEngines } from "./testing/fake-engines.ts";
import { takeKeysOfOrganizations } from "./testing/provider.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "./testing/server.ts";

/** Part of all names that A chooses, so that it can be found wherever they appear. */
const CANARY = "canary-of-a";
/** Operations that show or count public data for everybody. */
const PUBLIC = ["oauth.application", "models.reviews.helpful", "models.reviews.report"];
/** Operations that end the caller's credential or account. They have no id that could be another account's. */
const ENDS_CALLER = /^(account\.(delete|update)|auth\.(?!sessions\.(list|delete$)|me$).*|admin\.stopImpersonation)$/;

const engines = createFakeEngines();
let server: TestServer;
let a: Account;
let b: Account;
/** The ids of A's data, by their prefix. */
let ids: Map<string, string>;
const everyone = OPERATIONS.filter((operation) => !isAdminOnly(operation) && !ENDS_CALLER.test(operation.operationId));

beforeAll(async () => {
  server = await createTestServer({ startEngine: engines.start });
  const model = {
    id: "Qwen/Qwen3-32B",
    file: "/model.gguf",
    fileName: "model.gguf",
    size: 1,
    contextLength: 512,
    bytesPerToken: 1,
  };
  server.api.modelHost.host.register(model); // the one that the examples deploy
  await server.addUpstream({}, ["feather/demo"]);
  takeKeysOfOrganizations(server);
  a = await richAccount();
  b = await richAccount();
  await fill();
  ids = await idsOf(a);
  await waitFor(async () => {
    const deployments = server.db
      .selectFrom("deployments")
      .select("state")
      .where("organization_id", "=", a.organizationId);
    expect(await deployments.execute()).toEqual([{ state: "running" }]);
  });
});
afterAll(async () => {
  await server.close();
  engines.close();
});

function richAccount(): Promise<Account> {
  return server.signUpOnPlan({ private_cloud: true, private_models: 5 });
}

/**
 * Calls everything that the contract allows A to call, with its examples. Twice, because some operations need the results
 * of others.
 */
async function fill(): Promise<void> {
  await server.call("/api/organization", { method: "PUT", token: a.token, body: { name: CANARY } });
  await server.createKey(a, { name: CANARY });
  const providerKey = { method: "PUT", token: a.token, body: { key: `sk-or-${CANARY}`, label: CANARY } };
  expect((await server.call("/api/organization/provider-keys/openrouter", providerKey)).status).toBe(200);
  await server.call("/v1/chat/completions", {
    token: a.token,
    body: { model: "feather/demo", messages: [{ role: "user", content: CANARY }] },
  });
  await server.api.gateway.usageWriter.flush();
  for (const _round of [1, 2]) {
    const known = await idsOf(a);
    for (const operation of everyone.filter(({ method, path }) => method === "POST" && !path.startsWith("/v1/")))
      await server.call(toPath(operation, ownIds(operation, known)), {
        method: "POST",
        token: a.token,
        body: operation.body && named(operation.body.example),
      });
  }
}

function named(example: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, key === "name" ? CANARY : value]));
}

type Row = Record<string, unknown>;

/** Returns every row that belongs to an account, from all tables. Partitions are read through their table. */
async function rowsOwnedBy({ userId, organizationId }: Account): Promise<{ table: string; row: Row }[]> {
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and column_name in ('organization_id', 'user_id', 'created_by')
      and table_name in (select relname from pg_class where relkind in ('r', 'p') and not relispartition)
    order by table_name`.execute(server.db);
  const owned: { table: string; row: Row }[] = [];
  for (const table of new Set(columns.map(({ table_name }) => table_name))) {
    const names = columns.filter(({ table_name }) => table_name === table).map(({ column_name }) => column_name);
    const conditions = names.map(
      (name) => sql`${sql.ref(name)} = ${name === "organization_id" ? organizationId : userId}`,
    );
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(owned) as row from ${sql.table(table)} owned where ${sql.join(conditions, sql` or `)}
      order by to_jsonb(owned)::text`.execute(server.db);
    owned.push(...rows.map(({ row }) => ({ table, row })));
  }
  return owned;
}

async function idsOf(account: Account): Promise<Map<string, string>> {
  const found = new Map([
    ["usr", account.userId],
    ["org", account.organizationId],
  ]);
  for (const { row } of await rowsOwnedBy(account)) {
    const [, prefix] = /^([a-z]+)_[0-9A-Za-z]{20,}$/.exec(String(row.id)) ?? [];
    if (prefix !== undefined && !found.has(prefix)) found.set(prefix, String(row.id));
  }
  return found;
}

const prefixOf = (example: unknown) => /^([a-z]+)_\w+$/.exec(String(example))?.[1];

/** Returns A's id for each parameter of the path that refers to data of an account. */
function ownIds(operation: WalkedOperation, known: Map<string, string>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, example } of operation.pathParameters) {
    const id = known.get(prefixOf(example) ?? "");
    if (id !== undefined) values[name] = id;
  }
  return values;
}

/** Returns a response without the parts that differ between calls. */
function comparable({ status, text }: { status: number; text: string }, id: string): string {
  return `${status} ${text.replaceAll(id, "<id>").replaceAll(/req_\w+/g, "<request>")}`;
}

/** Removes what others may change in A's rows: counters of public data, and times of last use. */
function settled(owned: { table: string; row: Row }[]) {
  return owned
    .filter(({ table }) => !["requests", "audit_log", "usage_hours", "sessions"].includes(table))
    .map(({ table, row: { last_used_at: _, helpful_count: __, reported_at: ___, reports: ____, ...row } }) => ({
      table,
      row,
    }));
}

describe("resources of A", () => {
  const withIds = everyone.filter(
    ({ operationId, pathParameters }) =>
      !PUBLIC.includes(operationId) && pathParameters.some(({ example }) => prefixOf(example) !== undefined),
  );

  test.each(rowsOf(withIds))("resources of one account are 404 for another: %s", async (_id, operation) => {
    const values = ownIds(operation, ids);
    const [name, id] = Object.entries(values)[0] ?? [];
    if (name === undefined || id === undefined) return; // nothing of this kind exists yet
    const before = settled(await rowsOwnedBy(a));
    const missing = `${id.split("_")[0]}_${"0".repeat(22)}`;
    const attempt = (value: string) =>
      server.call(toPath(operation, { ...values, [name]: value }), {
        method: operation.method,
        token: b.token,
        body: operation.body?.example,
      });
    const theirs = await attempt(id);
    const none = await attempt(missing);
    expect(theirs.status).toBeGreaterThanOrEqual(400);
    expect(comparable(theirs, id)).toBe(comparable(none, missing));
    expect(settled(await rowsOwnedBy(a))).toEqual(before);
  });

  const kinds: [string, RegExp][] = [
    ["org", /organization/],
    ["usr", /^(user|actor|member|created_by|owner)/],
    ["key", /key/],
    ["app", /application|client/],
    ["dep", /deployment/],
    ["req", /request/],
    ["key", /^target$/],
  ];
  const idFor = (field: string) => ids.get(kinds.find(([, pattern]) => pattern.test(field))?.[0] ?? "");
  const secrets = () => [a.email, a.organizationId, CANARY, ids.get("key") ?? "?"];

  test.each(
    rowsOf(everyone.filter(({ method, operationId }) => method === "GET" && operationId !== "concurrency.stream")),
  )("resources of one account are not visible to another with any query: %s", async (id, operation) => {
    const fields = operation.queryParameters.map((parameter) => parameter.name).filter((field) => idFor(field));
    const queries = ["", "?perPage=100&per_page=100", ...fields.map((field) => `?${field}=${idFor(field)}`)];
    for (const query of queries) {
      const { text } = await server.call(`${toPath(operation)}${query}`, { token: b.token });
      const sent = secrets().filter((secret) => !query.includes(secret));
      if (!PUBLIC.includes(id)) expect(sent.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  const namesOthers = (operation: WalkedOperation) =>
    Object.keys(listProperties(operation.body?.schema ?? {})).filter((field) => /(_ids?|^ids?|^target)$/.test(field));

  test.each(rowsOf(everyone.filter((operation) => operation.method !== "GET" && namesOthers(operation).length > 0)))(
    "resources of one account cannot be referenced in requests of another: %s",
    async (_id, operation) => {
      const before = settled(await rowsOwnedBy(a));
      for (const field of namesOthers(operation)) {
        const id = idFor(field);
        if (id === undefined) continue;
        const isList = field.endsWith("ids");
        const { text } = await server.call(toPath(operation), {
          method: operation.method,
          token: b.token,
          body: { ...operation.body?.example, [field]: isList ? [id] : id },
        });
        expect(secrets().filter((secret) => secret !== id && text.includes(secret))).toEqual([]);
      }
      expect(settled(await rowsOwnedBy(a))).toEqual(before);
    },
  );

  test("resources of one account remain after the calls of another, and are still accessible", async () => {
    expect((await server.call("/api/auth/login", { body: { email: a.email, password: PASSWORD } })).status).toBe(200);
    expect((await server.call(`/api/api-keys/${ids.get("key")}`, { token: a.token })).status).toBe(200);
  });

  test("the resources of the isolation test cover all kinds of ids", () => {
    expect([...ids.keys()]).toEqual(expect.arrayContaining(["usr", "org", "key", "invite", "req", "ses", "dep"]));
  });
});
