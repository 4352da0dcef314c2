import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { listenForChanges } from "../../../testing/two-servers.ts";
import type { DatabaseConnection } from "../db/connect.ts";
import { ANNOUNCED_TABLES } from "./changes.ts";

let database: DatabaseConnection;
let changes: Awaited<ReturnType<typeof listenForChanges>>;
const heard: string[] = [];

/** Inserts an account with an API key of an application, a subscription with a coupon, an unlocked model and a backend. */
const ROWS = `
  insert into users (id, email, email_lower, username, name) values ('usr_a', 'a@b.c', 'a@b.c', 'a', 'A');
  insert into organizations (id, name) values ('org_a', 'A');
  insert into memberships (user_id, organization_id, role) values ('usr_a', 'org_a', 'admin');
  insert into applications (id, name, client_type, redirect_uris, scopes, status)
    values ('app_a', 'A', 'public', '{}', '{}', 'active');
  insert into api_keys (id, organization_id, created_by, name, prefix, last4, secret_hash, scopes)
    values ('key_a', 'org_a', 'usr_a', 'A', 'rc_a', 'aaaa', '\\x00', '{}');
  insert into coupons (code, duration, percent_off) values ('CODE', 'once', 10);
  insert into subscriptions (id, organization_id, plan_id, status, coupon_code)
    values ('sub_a', 'org_a', 'feather_lite', 'active', 'CODE');
  insert into model_unlocks (model_id, organization_id, method, unlocked_at)
    values ('feather/demo', 'org_a', 'token', now());
  insert into backends (id, name, base_url, created_at, updated_at) values ('bck_a', 'a', 'http://a/v1', now(), now());`;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(ROWS);
  changes = await listenForChanges(database.db, (table) => heard.push(table));
});
beforeEach(async () => {
  await changes.announced();
  heard.length = 0;
});
afterAll(async () => {
  await changes.close();
  await database.close();
});

/** Returns the tables that a statement announces. */
async function announcedBy(statement: string): Promise<string[]> {
  await database.pool.query(statement);
  await changes.announced();
  return [...heard].sort();
}

const PRICE = `insert into prices (id, scope, target, prompt, completion, effective_at, created_at)
  values ('price_a', 'size', 'up-to-4b', 1, 1, now(), now())`;

describe("a change that processes must hear of is announced", () => {
  test.each([
    ["api_keys", "update api_keys set disabled = true"],
    ["api_keys", "update api_keys set deleted_at = now()"],
    ["api_keys", "update api_keys set expires_at = now()"],
    ["api_keys", "update api_keys set secret_hash = '\\x01', previous_secret_hash = secret_hash"],
    ["api_keys", "update api_keys set previous_secret_expires_at = now()"],
    ["api_keys", "update api_keys set scopes = '{admin}'"],
    ["api_keys", "update api_keys set ip_allowlist = '{10.0.0.0/8}'"],
    ["api_keys", "update api_keys set allowed_models = '{feather/demo}'"],
    ["api_keys", "update api_keys set max_concurrency = 3"],
    ["api_keys", "update api_keys set spend_limit_nano_usd = 1"],
    ["api_keys", "update api_keys set limit_reset = 'month'"],
    ["users", "update users set suspended_at = now()"],
    ["users", "update users set is_admin = true"],
    ["users", "update users set email_verified_at = now()"],
    ["memberships", "update memberships set role = 'viewer'"],
    ["applications", "update applications set status = 'suspended' where id = 'app_a'"],
    ["plans", "update plans set concurrency = 7 where id = 'feather_lite'"],
    ["subscriptions", "update subscriptions set quantity = 2"],
    ["coupons", "update coupons set ended_at = now()"],
    ["prices", PRICE],
    ["models", "update models set disabled_at = now() where id = 'feather/demo'"],
    ["models", "update models set plan_ids = '{feather_max}' where id = 'feather/demo'"],
    ["models", "update models set is_gated = true where id = 'feather/demo'"],
    ["model_classes", "update model_classes set concurrency_cost = concurrency_cost + 1"],
    ["backends", "update backends set enabled = false"],
    ["backends", "update backends set base_url = 'http://b/v1'"],
  ])("%s: %s", async (table, statement) => {
    expect(await announcedBy(statement)).toEqual([table]);
  });

  test("a change of several rows is announced once per statement", async () => {
    expect(await announcedBy("update models set context_length = 5 + coalesce(context_length, 0)")).toEqual(["models"]);
  });

  test("deleting a user announces the tables of all rows that are deleted with the user", async () => {
    const tables = await announcedBy("delete from model_unlocks; delete from memberships; delete from users");
    expect(tables).toEqual(expect.arrayContaining(["memberships", "model_unlocks", "users"]));
    await database.pool.query("delete from api_keys; delete from subscriptions; delete from organizations");
    await database.pool.query("delete from backends; delete from coupons; delete from applications where id = 'app_a'");
    await changes.announced();
    heard.length = 0;
    expect(await announcedBy(ROWS)).toEqual(["api_keys", "backends", "memberships", "subscriptions"]);
  });

  test("a change is announced only after it is committed", async () => {
    const failed = database.db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ suspended_at: null, is_admin: true }).execute();
      throw new Error("taken back");
    });
    await expect(failed).rejects.toThrow("taken back");
    await changes.announced();
    expect(heard).toEqual([]);
  });
});

describe("a change of what no process keeps is not announced", () => {
  test.each([
    "update api_keys set last_used_at = now(), name = 'B'",
    "update api_keys set disabled = disabled, scopes = scopes",
    "update api_keys set disabled = true where id = 'key_none'",
    "delete from api_keys where id = 'key_none'",
    "update users set name = 'B', totp_last_step = totp_last_step + 1, updated_at = now()",
    "update memberships set created_at = now()",
    "update applications set description = 'B'",
    "update plans set name = name",
    "update subscriptions set quantity = quantity",
    "update coupons set redemptions = redemptions + 1",
    "update models set downloads = 7, likes = 7, description = 'B', hub_checked_at = now(), updated_at = now()",
    "insert into backends select * from backends where false",
    "update model_classes set name = name || 'B'",
    "update backends set updated_at = now()",
  ])("%s", async (statement) => {
    expect(await announcedBy(statement)).toEqual([]);
  });
});

test("the tables that announce changes are those that processes can subscribe to", async () => {
  const { rows } = await sql<{ table: string }>`
    select distinct tgrelid::regclass::text as table from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where proname in ('announce_change', 'announce_changed_rows') order by 1`.execute(database.db);
  expect(rows.map(({ table }) => table)).toEqual([...ANNOUNCED_TABLES].sort());
});
