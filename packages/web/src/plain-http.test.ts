// @vitest-environment node
import { expect, test } from "vitest";

const SOURCES = import.meta.glob<string>(["./**/*.{ts,tsx}", "!./**/*.test.{ts,tsx}"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("no part of the site needs what browsers have on pages with HTTPS alone, without looking whether it is there", () => {
  const uses = Object.entries(SOURCES).filter(([, source]) => /crypto\.(randomUUID|subtle)\b/.test(source));
  expect(uses.map(([file]) => file)).toEqual([]);
});
