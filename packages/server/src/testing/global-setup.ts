import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { connect } from "../db/database.ts";
import { type SocketTarget, startEmbeddedPostgres } from "../db/embedded/postgres.ts";
import { migrate } from "../db/migrate.ts";
import { type DemoModel, seed } from "../db/seed/seed.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: SocketTarget;
  }
}

// Not the installation's own: finding that one takes import.meta.resolve, which vitest's module runner lacks.
const DEMO: DemoModel = { id: "feather/demo", contextLength: 2048, parameters: 1_000_000, readme: "A small model." };

/** One PostgreSQL for all suites of the server, with a migrated and seeded template that each suite clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "feather-test-"));
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const connection = connect(postgres.target);
  await migrate(connection.pool);
  await seed(connection.db, DEMO);
  await connection.close();
  project.provide("postgres", postgres.target);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    if (postgres.moved) rmSync(postgres.moved, { recursive: true, force: true });
  };
}
