import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyDatabase } from "../../../testing/database.ts";
import { migrateBefore } from "../../../testing/earlier-schemas.ts";
import type { DatabaseConnection } from "./connect.ts";
import { migrate } from "./migrate.ts";

const FIRST_WITH_KEYS = "0036";

let connection: DatabaseConnection;
beforeEach(async () => {
  connection = await createEmptyDatabase();
});
afterEach(() => connection.close());

test("the migration moves private models and references to them to keys with their organization", async () => {
  await migrateBefore(connection.pool, FIRST_WITH_KEYS);
  await connection.pool.query(`
    insert into organizations (id, name) values ('org_1', 'One');
    insert into users (id, email, email_lower, username, name)
      values ('usr_1', 'a@example.com', 'a@example.com', 'a', 'A');
    insert into model_classes (id, name, context_length, concurrency_cost) values ('c', 'c', 1, 1);
    insert into models (id, id_lower, owned_by, name, model_class_id, source, organization_id)
      values ('Acme/own', 'acme/own', 'Acme', 'own', 'c', 'private', 'org_1'),
             ('acme/open', 'acme/open', 'acme', 'open', 'c', 'hub', null);
    insert into private_models (organization_id, model_id, name, revision, created_at, updated_at)
      values ('org_1', 'Acme/own', 'own', 'main', now(), now());
    insert into favorites values ('usr_1', 'Acme/own', now()), ('usr_1', 'acme/open', now());
    insert into requests (id, organization_id, model_id, model_class_id, kind, outcome, status, streamed, units, started_at, duration_ms)
      values ('req_1', 'org_1', 'Acme/own', 'c', 'chat', 'completed', 200, false, 1, now(), 1),
             ('req_2', 'org_1', 'acme/open', 'c', 'chat', 'completed', 200, false, 1, now(), 1);
  `);
  await migrate(connection.pool);
  const read = async (sql: string) => (await connection.pool.query({ text: sql, rowMode: "array" })).rows.flat();
  expect(await read("select id from models order by 1")).toEqual(["acme/open", "org_1:Acme/own"]);
  expect(await read("select id_lower from models order by 1")).toEqual(["acme/open", "org_1:acme/own"]);
  expect(await read("select model_id from private_models")).toEqual(["org_1:Acme/own"]);
  for (const table of ["favorites", "requests", "usage_hours"])
    expect(await read(`select model_id from ${table} order by 1`)).toEqual(["acme/open", "org_1:Acme/own"]);
  expect(await read("select model_id_of(id) from models order by id")).toEqual(["acme/open", "Acme/own"]);
});
