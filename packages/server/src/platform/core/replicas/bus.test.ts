import { waitFor } from "@feather/testing/wait-for";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { clientConfig, type DatabaseConnection } from "../db/connect.ts";
import { createDatabaseBus, type DatabaseBus } from "./bus.ts";
import { toConnection } from "./connection.ts";

let database: DatabaseConnection;
let client: pg.Client;
let bus: DatabaseBus;
let heard: unknown[];
let warnings: object[];
beforeEach(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
  client = new pg.Client(clientConfig({ ...inject("postgres"), database: rows[0]?.name ?? "" }));
  await client.connect();
  [heard, warnings] = [[], []];
  bus = createDatabaseBus({ origin: "here", id: () => "rep_here", log: { warn: (details) => warnings.push(details) } });
  bus.subscribe("hosting", (message) => heard.push(message));
  await bus.connect(toConnection(client));
});
afterEach(async () => {
  await client.end();
  await database.close();
});

const send = (message: object) =>
  database.pool.query("select pg_notify('feather_replicas', $1)", [JSON.stringify(message)]);

test("a replica ignores messages of another version, and logs each such replica once", async () => {
  const message = { origin: "there", from: "rep_there", topic: "hosting", message: "theirs" };
  await send({ ...message, version: 99 });
  await send(message); // before versions were named
  await send({ ...message, version: 99, from: "rep_more", topic: { of: "another form" } });
  await send({ ...message, version: 1, message: "ours" });
  await waitFor(() => expect(heard).toEqual(["ours"]));
  expect(warnings).toEqual([
    { replica: "rep_there", version: 99 },
    { replica: "rep_more", version: 99 },
  ]);
});
