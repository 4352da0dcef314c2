import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import {
  type ConnectOptions,
  clientConfig,
  connectDatabase,
  type DatabaseConnection,
  type SocketConnection,
} from "../platform/core/db/connect.ts";

/** Creates a database for one suite: migrated and seeded. `close` drops it. */
export function createTestDatabase(
  maxConnections = 5,
  onQuery: ConnectOptions["onQuery"] = () => {},
): Promise<DatabaseConnection> {
  return cloneDatabase(inject("postgres").database, { maxConnections, onQuery });
}

/** Creates a database without any table. `close` drops it. */
export function createEmptyDatabase(maxConnections = 5): Promise<DatabaseConnection> {
  return cloneDatabase("template0", { maxConnections });
}

async function cloneDatabase(original: string, options: ConnectOptions): Promise<DatabaseConnection> {
  const template = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = { ...template, database: "postgres" };
  await run(admin, `create database ${name} template ${original} strategy file_copy`);
  const connection = connectDatabase({ ...template, database: name }, options);
  return {
    ...connection,
    close: async () => {
      await connection.close();
      await run(admin, `drop database ${name} with (force)`);
    },
  };
}

async function run(target: SocketConnection, statement: string): Promise<void> {
  const client = new pg.Client(clientConfig(target));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
