import { globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(path, "utf8");

/** Returns the class names that a module defines. */
function listClasses(css: string): string[] {
  const local = css.replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, "");
  const selectors = [...local.matchAll(/([^{};]+)\{/g)].map(([, selector = ""]) => selector);
  return selectors
    .filter((selector) => !selector.trim().startsWith("@"))
    .flatMap((selector) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = ""]) => name));
}

/** Returns the class names of each module that a component imports, as `path of the module` → names. */
function listUses(path: string): [module: string, names: string[]][] {
  const source = read(path);
  return [...source.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)].map(([, variable = "", specifier = ""]) => {
    const module = specifier.startsWith("#/") ? resolve(ROOT, specifier.slice(2)) : resolve(dirname(path), specifier);
    // An index chooses among the names when the page is drawn, so any of them may be used.
    const isIndexed = source.includes(`${variable}[`);
    const names = [...source.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))].map(([, name = ""]) => name);
    return [module, isIndexed ? [...names, ...listClasses(read(module))] : names];
  });
}

const modules = globSync("**/*.module.css", { cwd: ROOT }).map((path) => resolve(ROOT, path));
const uses = globSync("**/*.{ts,tsx}", { cwd: ROOT }).flatMap((path) => listUses(resolve(ROOT, path)));

test.each(modules.map((path) => [path.slice(ROOT.length + 1), path]))(
  "%s defines what is used of it, and no more",
  (_, path) => {
    const defined = new Set(listClasses(read(path)));
    const used = new Set(uses.filter(([module]) => module === path).flatMap(([, names]) => names));
    expect([...used].sort()).toEqual([...defined].sort());
  },
);

/** Custom properties that Base UI sets on what it places beside something else. */
const OF_BASE_UI = ["--anchor-width", "--available-width", "--available-height"];

test("styles use no custom property that nothing defines, since the browser ignores such a declaration", () => {
  const sources = globSync("**/*.{css,ts,tsx}", { cwd: ROOT }).map((path) => read(resolve(ROOT, path)));
  const matchAll = (pattern: RegExp) =>
    new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = ""]) => name)));
  const defined = matchAll(/(--[\w-]+)"?\s*[\]:]/g);
  const used = matchAll(/var\((--[\w-]+)\s*\)/g);
  expect([...used].filter((name) => !defined.has(name) && !OF_BASE_UI.includes(name))).toEqual([]);
});
