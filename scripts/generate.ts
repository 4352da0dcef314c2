/**
 * Writes all generated files: what `generate-code.ts` writes, the types of the database, which only the type checker needs, and
 * what git keeps because people read, load or translate it: pages of docs/ and of the site, the dashboard, the alert rules and the
 * site's message catalogue.
 */
import { runOrExit } from "./run.ts";

runOrExit("node", ["scripts/generate-code.ts"]);
runOrExit("node", ["packages/server/src/platform/core/db/generate-types.ts"]);
runOrExit("node", ["openapi/generate-docs.ts"]);
runOrExit("node", ["packages/server/src/config/generate-docs.ts"]);
runOrExit("node", ["packages/server/src/insight/operations/monitoring/generate-monitoring.ts"]);
runOrExit("packages/web/node_modules/.bin/lingui", [
  "extract",
  "--clean",
  "--overwrite",
  "--config",
  "packages/web/lingui.config.ts",
]);
