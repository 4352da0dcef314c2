/** Loads the server's code, so that it is kept in its compiled form for the first start. */
import { chmodSync, readdirSync } from "node:fs";
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import "./bin/code-cache.js";

await import("./src/start/run-server.ts");
flushCompileCache();
allowReading(getCompileCacheDir());

/** Lets all users read the files: Node writes them for the current one, and the server may run as another one. */
function allowReading(folder: string | undefined): void {
  if (folder === undefined) return;
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
}
