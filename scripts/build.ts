/**
 * Builds what does not run from source: the terminal program (with the SDK), the site with the archives of both that
 * servers offer for download, the demonstration model, and the compiled code of engine and server.
 */
import { ROOT, runOrExit } from "./run.ts";

runOrExit("node", ["packages/cli/build.ts"]);
runOrExit("vite", ["build", "--logLevel", "warn"], `${ROOT}packages/web`);
runOrExit("node", ["scripts/pack.ts"]);
runOrExit("node", ["packages/engine/scripts/build-demo-model.ts"]);
runOrExit("node", ["packages/engine/scripts/write-code-cache.ts"]);
runOrExit("node", ["packages/server/write-code-cache.ts"]);
