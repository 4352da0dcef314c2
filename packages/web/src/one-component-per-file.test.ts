import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = import.meta.dirname;

/** Returns the components that a file exports. `Outline` is left out: it is a part of the page in the same file. */
function listExportedComponents(path: string): string[] {
  const text = readFileSync(join(SOURCES, path), "utf8");
  const names = [...text.matchAll(/^export (?:default )?function ([A-Z]\w*)/gm)].map(([, name = ""]) => name);
  return names.filter((name) => name !== "Outline");
}

test("every file of the site exports at most one component", () => {
  const paths = globSync("**/*.tsx", { cwd: SOURCES }).filter((path) => !/\.test\.tsx$|^testing\//.test(path));
  expect(paths.filter((path) => listExportedComponents(path).length > 1)).toEqual([]);
});
