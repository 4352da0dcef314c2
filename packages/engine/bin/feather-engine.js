#!/usr/bin/env node
import { accessSync, constants } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/** Compiled code, which the build writes (scripts/write-code-cache.ts). */
const directory = fileURLToPath(new URL("../dist/code", import.meta.url));

// Engines may not write to files. Where only a limit of size prevents that, not the sandbox or another account, Node would
// leave empty files there. `portable`, because otherwise the folder is for the user alone who wrote it.
if (!isWritable(directory)) enableCompileCache({ directory, portable: true });
await import("../src/main.ts");

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
