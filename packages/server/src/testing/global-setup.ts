import type { TestProject } from "vitest/node";
import { connectDatabase, type SocketConnection } from "../core/db/connect.ts";
import { migrate } from "../core/db/migrate.ts";
import { seed } from "../core/db/seed/seed.ts";
import { startTemporaryPostgres } from "../core/db/temporary.ts";
import { BUILT_IN_MODELS } from "../engine/built-in-models.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: SocketConnection;
  }
}

/** One PostgreSQL for all suites of the server, with a migrated and seeded template that each suite clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres();
  const connection = connectDatabase(postgres.connection);
  await migrate(connection.pool);
  await seed(connection.db, BUILT_IN_MODELS);
  await connection.close();
  project.provide("postgres", postgres.connection);
  return postgres.stop;
}
