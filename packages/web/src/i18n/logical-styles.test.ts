import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "..");
// The build gives a CSS module's class names instead of its text.
const STYLES = globSync(["styles/*.css", "**/*.module.css"], { cwd: SOURCES }).sort();
const PAGES = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });

/** Physical instead of logical properties. `left: 50%` is the same in both directions. */
const PHYSICAL = /(margin|padding|border)-(left|right)|text-align: (left|right)|float: |^\s*(left|right): (?!50%)/gm;
const PHYSICAL_CLASS = /["'` ](-?m[lr]-|p[lr]-|left-|right-|text-left|text-right|border-[lr]\b|rounded-[lr]\b)/g;

test.each(STYLES)("%s can be mirrored for right-to-left languages", (path) => {
  expect(readFileSync(join(SOURCES, path), "utf8").match(PHYSICAL) ?? []).toEqual([]);
});

test("no class name refers to a physical side", () => {
  const named = Object.entries(PAGES).flatMap(([path, source]) =>
    (source.match(/className=(?:"[^"]*"|\{[^}]*\})/g) ?? []).flatMap((classes) =>
      (classes.match(PHYSICAL_CLASS) ?? []).map((name) => `${path}: ${name.trim()}`),
    ),
  );
  expect(named).toEqual([]);
});
