import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { APPLICATION_ROLE, createApplicationRole, grantRowAccess } from "./application-role.ts";
import { connectDatabase, type DatabaseConnection } from "./connect.ts";

let owner: DatabaseConnection;
let application: DatabaseConnection;
beforeAll(async () => {
  owner = await createTestDatabase();
  const { rows } = await owner.pool.query<{ name: string }>("select current_database() as name");
  application = connectDatabase({ ...inject("postgres"), user: APPLICATION_ROLE, database: rows[0]?.name ?? "" });
  for (let start = 0; start < 2; start++) {
    await createApplicationRole(owner.pool);
    await grantRowAccess(owner.pool, application.pool);
  }
});
afterAll(async () => {
  await application.close();
  await owner.close();
});

test("the application role can read and write rows and append to the audit log", async () => {
  await application.pool.query("insert into organizations (id, name) values ('org_a', 'A')");
  await application.pool.query("update organizations set name = 'B' where id = 'org_a'");
  expect((await application.pool.query("delete from organizations where id = 'org_a'")).rowCount).toBe(1);
  const rights = "select has_table_privilege('audit_log', 'insert') as may";
  expect((await application.pool.query<{ may: boolean }>(rights)).rows).toEqual([{ may: true }]);
});

test.each([
  ["alter table audit_log disable trigger all"],
  ["alter table ledger_entries disable trigger all"],
  ["set session_replication_role = replica"],
  ["delete from audit_log"],
  ["update ledger_entries set amount_nano_usd = 0"],
  ["truncate audit_log"],
  ["delete from schema_migrations"],
  ["drop table users"],
  ["create role other superuser"],
  ["select pg_read_file('/etc/passwd')"],
])("the application role is not allowed to run: %s", async (statement) => {
  await expect(application.pool.query(statement)).rejects.toThrow(/permission denied|must be owner|does not exist/);
});
