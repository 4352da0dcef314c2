/** Writes all generated files: the contract's bundle and types, the SDK's methods, the database types, the settings page, the CLI reference, and the site's message catalogue. */
import { runOrExit } from "./run.ts";

runOrExit("node", ["openapi/generate.ts"]);
runOrExit("node", ["packages/sdk/generate.ts"]);
runOrExit("node", ["packages/server/src/db/generate-types.ts"]);
runOrExit("node", ["packages/server/src/config/generate-docs.ts"]);
runOrExit("node", ["packages/cli/generate.ts"]);
runOrExit("packages/web/node_modules/.bin/lingui", [
  "extract",
  "--clean",
  "--overwrite",
  "--config",
  "packages/web/lingui.config.ts",
]);
