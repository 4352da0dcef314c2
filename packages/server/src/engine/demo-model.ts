import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DemoModel } from "../db/seed/seed.ts";

const ENGINE = new URL("./", import.meta.resolve("@feather/engine/package.json"));

/** The small model that comes with the platform, so that a fresh machine without network has something real to call. */
export const DEMO_MODEL: DemoModel = {
  id: "feather/demo",
  contextLength: 2048,
  parameters: 1_000_000,
  readme: readText(new URL("models/demo/README.md", ENGINE)),
};

/** Where the build puts the demonstration model. */
export const DEMO_MODEL_FILE = fileURLToPath(new URL("dist/models/demo.gguf", ENGINE));

function readText(file: URL): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
