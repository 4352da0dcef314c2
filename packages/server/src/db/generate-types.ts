/** Writes `schema.generated.ts`: the row types of the migrated schema. Run through `npm run generate`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded/postgres.ts";
import { migrate } from "./migrate.ts";

const out = fileURLToPath(new URL("./schema.generated.ts", import.meta.url));
const codegen = fileURLToPath(new URL("../../node_modules/.bin/kysely-codegen", import.meta.url));

const dataDir = mkdtempSync(join(tmpdir(), "feather-types-"));
const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
try {
  const connection = connect(postgres.target);
  await migrate(connection.pool);
  await connection.close();
  const { host, user, database } = postgres.target;
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const args = ["--dialect", "postgres", "--url", url, "--out-file", out, "--date-parser", "string", "--numeric-parser", "string"];
  args.push("--type-mapping", JSON.stringify({ int8: "number" }), "--exclude-pattern", "schema_migrations");
  execFileSync(codegen, args, { stdio: ["ignore", "ignore", "inherit"] });
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  if (postgres.moved) rmSync(postgres.moved, { recursive: true, force: true });
}
