/** Writes `schema.generated.ts`: the row types of the migrated schema. Run by `npm run generate`. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { startTemporaryPostgres } from "./temporary.ts";

const out = fileURLToPath(new URL("./schema.generated.ts", import.meta.url));
const codegen = fileURLToPath(new URL("../../../../node_modules/.bin/kysely-codegen", import.meta.url));

const postgres = await startTemporaryPostgres();
try {
  const connection = connectDatabase(postgres.connection);
  await migrate(connection.pool);
  await connection.close();
  const { host, user, database } = postgres.connection;
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const args = [
    "--dialect",
    "postgres",
    "--url",
    url,
    "--out-file",
    out,
    "--date-parser",
    "string",
    "--numeric-parser",
    "string",
  ];
  args.push("--type-mapping", JSON.stringify({ int8: "number" }), "--exclude-pattern", "schema_migrations");
  execFileSync(codegen, args, { stdio: ["ignore", "ignore", "inherit"] });
} finally {
  await postgres.stop();
}
