import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { announcesMajorChange, findLastRelease } from "./released-contract.ts";

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "feather-checkout-"));
  mkdirSync(join(checkout, ".changeset"));
});
afterEach(() => rmSync(checkout, { recursive: true }));

test("a folder without releases has no last one", () => {
  expect(findLastRelease(checkout)).toBeNull();
});

test.each([
  ["minor", false],
  ["major", true],
])("a note of a %s change of the SDK announces what breaks callers: %j", (kind, announced) => {
  writeFileSync(join(checkout, ".changeset/note.md"), `---\n"@feather/sdk": ${kind}\n---\n\nText.\n`);
  expect(announcesMajorChange(checkout)).toBe(announced);
});
