/**
 * Builds what does not run from source: the terminal program (with the SDK), the site with the archives of both that
 * servers offer for download, and the demonstration model.
 */
import { must, ROOT } from "./run.ts";

must("node", ["packages/cli/build.ts"]);
must("vite", ["build", "--logLevel", "warn"], `${ROOT}packages/web`);
must("node", ["scripts/pack.ts"]);
must("node", ["packages/engine/scripts/build-demo-model.ts"]);
