import { expect, test } from "vitest";

const STYLES = import.meta.glob<string>(["../styles/*.css", "../**/*.module.css"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const PAGES = import.meta.glob<string>("../**/*.tsx", { query: "?raw", import: "default", eager: true });

/** Physical instead of logical properties. `left: 50%` is the same in both directions. */
const PHYSICAL = /(margin|padding|border)-(left|right)|text-align: (left|right)|float: |^\s*(left|right): (?!50%)/gm;
const PHYSICAL_CLASS = /["'` ](-?m[lr]-|p[lr]-|left-|right-|text-left|text-right|border-[lr]\b|rounded-[lr]\b)/g;

test.each(Object.entries(STYLES))("%s can be mirrored for right-to-left languages", (_, css) => {
  expect(css.match(PHYSICAL) ?? []).toEqual([]);
});

test("no class name refers to a physical side", () => {
  const named = Object.entries(PAGES).flatMap(([path, source]) =>
    (source.match(/className=(?:"[^"]*"|\{[^}]*\})/g) ?? []).flatMap((classes) =>
      (classes.match(PHYSICAL_CLASS) ?? []).map((name) => `${path}: ${name.trim()}`),
    ),
  );
  expect(named).toEqual([]);
});
