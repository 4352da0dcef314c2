import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltInModel } from "../../platform/core/db/seed/seed.ts";
import { ENGINE_FOLDER, GUIDE_FOLDER } from "./engine-files.ts";

/** The file of a built-in model, and the memory per token of context in bytes. */
export type BuiltInFile = { file: string; bytesPerToken: number };

/** The path of the demonstration model that the build writes. */
export const DEMO_MODEL_FILE = join(ENGINE_FOLDER, "dist/models/demo.gguf");

/** Returns a few fixed answers. Used by clients, tests and examples. */
const DEMO: BuiltInModel & BuiltInFile = {
  id: "feather/demo",
  contextLength: 2048,
  parameters: 1_000_000,
  description: "A hand-built demonstration model: it proves that everything works, and answers nothing.",
  readme: readText(join(ENGINE_FOLDER, "scripts/demo-model/README.md")),
  isFree: false,
  file: DEMO_MODEL_FILE,
  // The memory of one layer, with a margin of a factor of two.
  bytesPerToken: 2_048,
};

/** Answers questions about the platform until the operator adds a larger model. */
const GUIDE: BuiltInModel & BuiltInFile = {
  id: "feather/guide",
  contextLength: 1024,
  parameters: 4_000_000,
  description: "A small model, trained on our own texts: it answers questions about Feather, and nothing else.",
  readme: readText(join(GUIDE_FOLDER, "README.md")),
  isFree: true,
  file: join(GUIDE_FOLDER, "guide.gguf"),
  // Keys and values of four layers of width 192, in 16 bits.
  bytesPerToken: 3_072,
};

/** Small models that are part of the installation, so that a model can be called without network access. */
export const BUILT_IN_MODELS: readonly (BuiltInModel & BuiltInFile)[] = [DEMO, GUIDE];

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
