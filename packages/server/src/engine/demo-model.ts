import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DemoModel } from "../db/seed/seed.ts";

const ENGINE = dirname(createRequire(import.meta.url).resolve("@feather/engine/package.json"));

/** The small model that comes with the platform, so that a fresh machine without network has something real to call. */
export const DEMO_MODEL: DemoModel = {
  id: "feather/demo",
  contextLength: 2048,
  parameters: 1_000_000,
  readme: readText(join(ENGINE, "models/demo/README.md")),
};

/** Where the build puts the demonstration model. */
export const DEMO_MODEL_FILE = join(ENGINE, "dist/models/demo.gguf");

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
