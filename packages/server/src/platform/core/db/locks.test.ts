import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOCKS } from "./locks.ts";

const SOURCES = join(import.meta.dirname, "../../..");

test("every advisory lock has a unique number", () => {
  const numbers = Object.values(LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("every advisory lock that the server takes is listed", () => {
  const takers = globSync("**/*.ts", { cwd: SOURCES })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(SOURCES, file), "utf8"))
    .filter((text) => /pg_(try_)?advisory_(xact_)?lock\(/.test(text));
  expect(takers.length).toBeGreaterThan(0);
  for (const text of takers) expect(text).toContain("LOCKS.");
});
