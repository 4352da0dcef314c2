import { expect, test } from "vitest";
import { outcomeWord, resultOf } from "./outcomes.ts";

test.each([
  ["completed", null, "done"],
  ["aborted", null, "client left"],
  ["interrupted", "upstream_timeout", "backend too slow"],
  ["failed", "upstream_error", "backend failed"],
  ["failed", "something_new", "failed"],
  ["failed", null, "failed"],
] as const)("%s with the code %s reads as “%s”", (outcome, error_code, words) => {
  expect(resultOf({ outcome, error_code })).toBe(words);
});

test("an unknown outcome is its own label", () => {
  expect(outcomeWord("paused")).toBe("paused");
});
