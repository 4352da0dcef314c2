import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The folder of the package that runs models. */
export const ENGINE_FOLDER = dirname(createRequire(import.meta.url).resolve("@feather/engine/package.json"));

/** The program that runs one model. */
export const ENGINE_BINARY = join(ENGINE_FOLDER, "bin/feather-engine.js");
