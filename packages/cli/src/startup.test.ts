import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Packages that a module loads at once, through all its static imports. Types load nothing. */
function loadedAtOnce(entry: URL, visited = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (visited.has(entry.href)) return packages;
  visited.add(entry.href);
  const source = readFileSync(entry, "utf8");
  const imports = /^(?:import|export) (?:(type )?[\w*{][^;"=()]*? from )?"([^"]+)";/gm;
  for (const [, type, from = ""] of source.matchAll(imports)) {
    if (type !== undefined) continue;
    if (!from.startsWith(".")) packages.add(from);
    else for (const name of loadedAtOnce(new URL(from, entry), visited)) packages.add(name);
  }
  return packages;
}

const loads = (file: string) =>
  [...loadedAtOnce(new URL(file, import.meta.url))].filter((name) => !name.startsWith("node:")).sort();

test("help and version load no packages besides the parser and the formats of the SDK, which load nothing", () => {
  expect(loads("./main.ts")).toEqual(["@feather/sdk/format", "commander"]);
});

test("only the ui folder imports Ink", () => {
  expect(loads("./ui/index.ts")).toEqual(expect.arrayContaining(["ink", "react"]));
});
