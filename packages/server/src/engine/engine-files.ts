import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Folder of the package `@feather/engine`. */
export const ENGINE_FOLDER = dirname(createRequire(import.meta.url).resolve("@feather/engine/package.json"));

/** The executable that runs one model. */
export const ENGINE_BINARY = join(ENGINE_FOLDER, "bin/feather-engine.js");
