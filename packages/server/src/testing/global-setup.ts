import type { TestProject } from "vitest/node";
import { BUILT_IN_MODELS } from "../hosting/runtimes/built-in-models.ts";
import { connectDatabase, type SocketConnection } from "../platform/core/db/connect.ts";
import { migrate } from "../platform/core/db/migrate.ts";
import { seed } from "../platform/core/db/seed/seed.ts";
import { startTemporaryPostgres } from "../platform/core/db/temporary.ts";
import { chooseDatabaseFolder } from "./database-folder.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: SocketConnection;
  }
}

/** One PostgreSQL for all suites of the server, with a migrated and seeded template that each suite clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres(chooseDatabaseFolder());
  const connection = connectDatabase(postgres.connection);
  await migrate(connection.pool);
  await seed(connection.db, BUILT_IN_MODELS);
  await connection.close();
  project.provide("postgres", postgres.connection);
  return postgres.stop;
}
