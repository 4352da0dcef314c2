import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { connectDatabase, type DatabaseConnection, type DatabaseTarget } from "../platform/core/db/connect.ts";
import { createTestDatabase } from "../testing/database.ts";
import { type DatabaseTargets, openDatabaseTargets, prepareDatabase } from "./database.ts";
import type { Stops } from "./stops.ts";

let admin: DatabaseConnection;
let database: string;
let ownerRole: string;
let serverRole: string;
beforeEach(async () => {
  admin = await createTestDatabase();
  const { rows } = await admin.pool.query<{ name: string }>("select current_database() as name");
  database = rows[0]?.name ?? "";
  const suffix = randomBytes(4).toString("hex");
  ownerRole = `owner_${suffix}`;
  serverRole = `server_${suffix}`;
  await admin.pool.query(`
    drop schema public cascade;
    create role ${ownerRole} login;
    create role ${serverRole} login;
    alter database ${database} owner to ${ownerRole};
    create schema public authorization ${ownerRole};
  `);
});
afterEach(async () => {
  const roles = [ownerRole, serverRole].join(", ");
  await admin.pool.query(`drop owned by ${roles}`);
  await admin.pool.query(`alter database ${database} owner to ${inject("postgres").user}`);
  await admin.pool.query(`drop role ${roles}`);
  await admin.close();
});

/** Returns an address for a role. The tests' PostgreSQL accepts only its superuser, who then takes the role. */
function connectAs(role: string, name = database): DatabaseTarget {
  const { host, user } = inject("postgres");
  const query = new URLSearchParams({ host, options: `-c role=${role}` });
  return { connectionString: `postgres://${user}@localhost/${name}?${query.toString().replaceAll("+", "%20")}` };
}

async function query(role: string, statement: string): Promise<unknown[]> {
  const { pool, close } = connectDatabase(connectAs(role), { maxConnections: 1 });
  try {
    return (await pool.query<object>(statement)).rows;
  } finally {
    await close();
  }
}
const prepare = (targets: Partial<DatabaseTargets> = {}) =>
  prepareDatabase(
    {
      owner: connectAs(ownerRole),
      application: connectAs(serverRole),
      hasTwoRoles: true,
      pooling: "none",
      isEmbedded: false,
      ...targets,
    },
    new Date(),
  );

test("a database with a separate owner is migrated by the owner, and the server's role gets access to rows only", async () => {
  await prepare();
  await prepare(); // as each start does
  expect(await query(serverRole, "select id from plans limit 1")).toHaveLength(1);
  await query(serverRole, "insert into organizations (id, name) values ('org_a', 'A')");
  for (const statement of [
    "alter table audit_log disable trigger all",
    "delete from audit_log",
    "update ledger_entries set amount_nano_usd = 0",
    "drop table users",
    "create table more (id text)",
  ])
    await expect(query(serverRole, statement), statement).rejects.toThrow(/permission denied|must be owner/);
});

test("a database with one role is migrated by it, as before", async () => {
  const owner = connectAs(ownerRole);
  await prepare({ owner, application: owner });
  expect(await query(ownerRole, "select id from plans limit 1")).toHaveLength(1);
});

test("a server's role that could act as the owner is refused", async () => {
  const refusal = /DATABASE_URL could change tables/;
  await expect(prepare({ application: connectAs(ownerRole) })).rejects.toThrow(refusal);
  await expect(prepare({ application: connectAs(inject("postgres").user) })).rejects.toThrow(refusal);
  await admin.pool.query(`grant ${ownerRole} to ${serverRole}`);
  await expect(prepare()).rejects.toThrow(refusal);
});

test("two addresses of different databases are refused", async () => {
  await expect(prepare({ application: connectAs(serverRole, "postgres") })).rejects.toThrow(
    "must name the same database",
  );
});

test("the settings name the owner, a direct address of the server's role, or one address for both", async () => {
  const stops = { add: () => {} } as unknown as Stops;
  const urlOf = (role: string) => (connectAs(role) as { connectionString: string }).connectionString;
  const open = (addresses: Omit<Parameters<typeof openDatabaseTargets>[0], "databaseUrl">) =>
    openDatabaseTargets({ databaseUrl: urlOf(serverRole), ...addresses }, { dataDir: "", log: {} as never, stops });
  const none = { databaseOwnerUrl: undefined, databaseDirectUrl: undefined };
  const server = connectAs(serverRole);
  const known = { application: server, pooling: "none", isEmbedded: false };
  expect(await open({ ...none, databaseOwnerUrl: urlOf(ownerRole) })).toEqual({
    ...known,
    owner: connectAs(ownerRole),
    hasTwoRoles: true,
  });
  const direct = `${urlOf(serverRole)}&application_name=direct`;
  expect(await open({ ...none, databaseDirectUrl: direct })).toEqual({
    ...known,
    owner: { connectionString: direct },
    hasTwoRoles: false,
  });
  const single = await open(none);
  expect(single).toEqual({ ...known, owner: server, hasTwoRoles: false });
  expect(single.owner).toBe(single.application);
});

test("a direct address of another role is refused", async () => {
  await prepare();
  await expect(prepare({ application: connectAs(serverRole), hasTwoRoles: false })).rejects.toThrow(
    "must name the same database and the same role",
  );
});
