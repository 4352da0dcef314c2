/** Writes all generated files: the contract's bundle and types, the SDK's methods, the database types, the settings page, the CLI reference, and the site's message catalogue. */
import { must } from "./run.ts";

must("node", ["openapi/generate.ts"]);
must("node", ["packages/sdk/generate.ts"]);
must("node", ["packages/server/src/db/generate-types.ts"]);
must("node", ["packages/server/src/config/generate-docs.ts"]);
must("node", ["packages/cli/generate.ts"]);
must("packages/web/node_modules/.bin/lingui", [
  "extract",
  "--clean",
  "--overwrite",
  "--config",
  "packages/web/lingui.config.ts",
]);
