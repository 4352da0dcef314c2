import { expect, test } from "vitest";

const STYLES = import.meta.glob<string>("../styles/*.css", { query: "?raw", import: "default", eager: true });
const PAGES = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });

/** What names a side of the screen, not of the line. The middle is the same from both. */
const PHYSICAL = /(margin|padding|border)-(left|right)|text-align: (left|right)|float: |^\s*(left|right): (?!50%)/gm;
const PHYSICAL_CLASS = /["'` ](-?m[lr]-|p[lr]-|left-|right-|text-left|text-right|border-[lr]\b|rounded-[lr]\b)/g;

test.each(Object.entries(STYLES))("%s can be mirrored for a language from right to left", (_, css) => {
  expect(css.match(PHYSICAL) ?? []).toEqual([]);
});

test("no class of a page names a side of the screen", () => {
  const named = Object.entries(PAGES).flatMap(([path, source]) =>
    (source.match(/className=(?:"[^"]*"|\{[^}]*\})/g) ?? []).flatMap((classes) =>
      (classes.match(PHYSICAL_CLASS) ?? []).map((name) => `${path}: ${name.trim()}`),
    ),
  );
  expect(named).toEqual([]);
});
