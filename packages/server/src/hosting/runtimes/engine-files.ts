import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);

/** Folder of the package `@feather/engine`. */
export const ENGINE_FOLDER = dirname(resolve("@feather/engine/package.json"));

/** Folder of the package `@feather/guide`: a model file and its card. */
export const GUIDE_FOLDER = dirname(resolve("@feather/guide/package.json"));

/** The executable that runs one model. */
export const ENGINE_BINARY = join(ENGINE_FOLDER, "bin/feather-engine.js");
