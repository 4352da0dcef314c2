import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyLedger } from "../../../money/ledger/verify-ledger.ts";
import { createEmptyDatabase } from "../../../testing/database.ts";
import { EARLIER_ROWS } from "../../../testing/earlier-rows.ts";
import { MIGRATION_NAMES, migrateThrough } from "../../../testing/earlier-schemas.ts";
import { listTables } from "./backup/schema-objects.ts";
import type { DatabaseConnection } from "./connect.ts";

/** Columns to which a migration gives other values, by table. All other columns of all rows must not change. */
const CHANGED_COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "0013-hosting": { plans: ["private_models"] },
  "0025-credentials": { applications: ["scopes", "device_flow"] },
  "0033-balances-in-the-ledger": { ledger_accounts: ["balance_nano_usd", "entries"] },
  "0036-private-model-keys": {
    models: ["id", "id_lower"],
    favorites: ["model_id"],
    private_models: ["model_id"],
    requests: ["model_id"],
    usage_hours: ["model_id"],
    deployments: ["model_id"],
  },
  "0037-unknown-downloads": { models: ["downloads"] },
  "0045-plan-texts": { plans: ["description", "features"] },
  "0221-chats-of-the-command-line": { applications: ["scopes"] },
  "0215-collections-of-the-command-line": { applications: ["scopes"] },
  "0223-tools-of-the-command-line": { applications: ["scopes"] },
};

let database: DatabaseConnection;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.close());

const query = async (text: string): Promise<unknown[]> => (await database.pool.query<object>(text)).rows;

/** The values of a row as text, by column. */
type Row = Record<string, string | null>;
/** The tables with their columns and rows. */
type Contents = Map<string, { columns: readonly string[]; rows: Row[] }>;

async function readContents(): Promise<Contents> {
  const client = await database.pool.connect();
  try {
    const tables = await listTables(client);
    const statements = tables.map(({ name, columns }) => {
      const values = columns.map((column) => `'${column}', "${column}"::text`).join(", ");
      return `select '${name}' as name, json_build_object(${values}) as row from "${name}"`;
    });
    const { rows } = await client.query<{ name: string; row: Row }>(statements.join(" union all "));
    const contents: Contents = new Map(tables.map(({ name, columns }) => [name, { columns, rows: [] }]));
    for (const { name, row } of rows) contents.get(name)?.rows.push(row);
    return contents;
  } finally {
    client.release();
  }
}

/**
 * Returns the rows of a table that are missing after the migration, comparing the columns that exist before and after it
 * and that it does not change.
 */
function findLostRows(migration: string, name: string, before: Contents, after: Contents): string[] {
  const [old, current] = [before.get(name), after.get(name)];
  if (old === undefined) return [];
  const changed = CHANGED_COLUMNS[migration]?.[name] ?? [];
  const kept = old.columns.filter((column) => current?.columns.includes(column) && !changed.includes(column));
  const toText = (row: Row) => JSON.stringify(kept.map((column) => row[column]));
  const left = current?.rows.map(toText) ?? [];
  return old.rows.map(toText).filter((text) => {
    const index = left.indexOf(text);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** Returns the tables without rows whose columns the migration changes, since this test cannot check them. */
function findUntested(before: Contents, after: Contents): string[] {
  return [...before]
    .filter(([name, { columns, rows }]) => rows.length === 0 && after.get(name)?.columns.join() !== columns.join())
    .map(([name]) => name);
}

test("every migration keeps the rows that versions before it wrote", async () => {
  let before: Contents = new Map();
  for (const migration of MIGRATION_NAMES) {
    expect(await migrateThrough(database.pool, migration)).toEqual([migration]);
    const after = await readContents();
    for (const name of before.keys())
      expect(findLostRows(migration, name, before, after), `${migration} loses or changes rows of ${name}`).toEqual([]);
    expect(findUntested(before, after), `${migration} changes tables without rows: add some to EARLIER_ROWS`).toEqual(
      [],
    );
    const rows = EARLIER_ROWS[migration];
    if (rows !== undefined) await database.pool.query(rows);
    before = rows === undefined ? after : await readContents();
  }
  await expectMoneyKept();
  await expectUsageKept();
  await expectModelsMoved();
});

async function expectMoneyKept(): Promise<void> {
  expect(await verifyLedger(database.db)).toEqual([]);
  expect(
    await query(
      "select account, balance_nano_usd::text as nano from ledger_accounts where balance_nano_usd <> 0 order by account",
    ),
  ).toEqual([
    { account: "balance:org_1", nano: "12340000000" },
    { account: "credits:org_1", nano: "12345678901234563569" },
    { account: "forfeited", nano: "300" },
    { account: "promotions", nano: "-12345678901234568190" },
    { account: "revenue:subscriptions", nano: "-12340000000" },
    { account: "revenue:usage", nano: "4321" },
  ]);
  expect(
    await query(
      "select id, price_cents, pending_price_cents, billing_interval, value_cents from subscriptions order by id",
    ),
  ).toEqual([
    { id: "sub_1", price_cents: 5000, pending_price_cents: 10000, billing_interval: "month", value_cents: 5000 },
    { id: "sub_2", price_cents: null, pending_price_cents: null, billing_interval: "month", value_cents: 0 },
  ]);
  expect(await query("select id, spend_limit_nano_usd, expires_at::text from api_keys order by id")).toEqual([
    { id: "key_1", spend_limit_nano_usd: "12345678901234567890", expires_at: "2030-01-01 00:00:00.123456+00" },
    { id: "key_2", spend_limit_nano_usd: null, expires_at: null },
  ]);
  expect(await query("select spent_nano_usd from budgets order by user_id nulls first")).toEqual([
    { spent_nano_usd: "4000000001" },
    { spent_nano_usd: "0" },
  ]);
}

async function expectUsageKept(): Promise<void> {
  expect(
    await query(
      "select count(*)::integer as requests, sum(prompt_tokens)::integer as prompt, sum(completion_tokens)::integer as completion, sum(cost_nano_usd)::integer as cost from requests",
    ),
  ).toEqual([{ requests: 5, prompt: 1117, completion: 2220, cost: 4321 }]);
  expect(
    await query(
      "select id, tableoid::regclass::text <> 'requests_default' as in_month, model_id from requests order by id",
    ),
  ).toEqual([
    { id: "req_ahead", in_month: false, model_id: "acme/open-8b" },
    { id: "req_charged", in_month: true, model_id: "acme/open-8b" },
    { id: "req_failed", in_month: true, model_id: "acme/open-8b" },
    { id: "req_first", in_month: true, model_id: "org_1:Acme/own" },
    { id: "req_summed", in_month: true, model_id: "org_1:Acme/own" },
  ]);
  // The hourly sums began with migration 0014, so earlier requests are not in them.
  expect(
    await query("select sum(requests)::integer as requests, sum(prompt_tokens)::integer as prompt from usage_hours"),
  ).toEqual([{ requests: 2, prompt: 1007 }]);
}

async function expectModelsMoved(): Promise<void> {
  expect(
    await query("select id, parameter_size::text as size, downloads, favorites, total_reviews from models order by id"),
  ).toEqual([
    { id: "acme/loved", size: "9007199254740991", downloads: 77, favorites: 0, total_reviews: 0 },
    { id: "acme/open-8b", size: "8000000000", downloads: null, favorites: 1, total_reviews: 0 },
    { id: "org_1:Acme/own", size: null, downloads: null, favorites: 1, total_reviews: 0 },
  ]);
  expect(
    await query("select id, model_id, state, observed_settings_version as observed from deployments order by id"),
  ).toEqual([
    { id: "dep_1", model_id: "org_1:Acme/own", state: "running", observed: 1 },
    { id: "dep_2", model_id: "acme/open-8b", state: "paused", observed: 1 },
  ]);
  expect(await query("select repository from store_pulls order by id")).toEqual([
    { repository: "acme/open-8b" },
    { repository: "Acme/own" },
  ]);
  expect(await query("select private_models, features from plans order by id")).toEqual([
    { private_models: 0, features: ["Models of any size", "Fast"] },
    { private_models: null, features: ["Any model"] },
  ]);
}
