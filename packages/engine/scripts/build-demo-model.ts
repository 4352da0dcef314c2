import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { buildDemoModel } from "./demo-model/demo-model.ts";
import { encodeGguf } from "./demo-model/gguf-writer.ts";

/**
 * Writes the demonstration model, unless the file is there and was written by this version of the recipe (a file
 * beside it, `<path>.version`, holds a hash of the recipe's sources). Returns whether it wrote.
 */
export function writeDemoModel(path: string): boolean {
  const stampPath = `${path}.version`;
  const version = recipeVersion();
  if (existsSync(path) && existsSync(stampPath) && readFileSync(stampPath, "utf8") === version) return false;
  mkdirSync(dirname(path), { recursive: true });
  // Written to a temporary file and renamed, so that no reader ever sees half a file.
  const temporaryPath = `${path}.${process.pid}.tmp`;
  writeFileSync(temporaryPath, encodeGguf(buildDemoModel()));
  renameSync(temporaryPath, path);
  writeFileSync(stampPath, version);
  return true;
}

function recipeVersion(): string {
  const folder = join(import.meta.dirname, "demo-model");
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .sort();
  const hash = createHash("sha256");
  for (const name of sources) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

if (import.meta.main) {
  const path = resolve(process.argv[2] ?? join(import.meta.dirname, "../dist/models/demo.gguf"));
  const written = writeDemoModel(path);
  process.stderr.write(`${written ? "Wrote" : "Up to date:"} ${path}\n`);
}
