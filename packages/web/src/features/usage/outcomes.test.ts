import { expect, test } from "vitest";
import { describeResult, getOutcomeLabel } from "./outcomes.ts";

test.each([
  ["completed", null, "done"],
  ["aborted", null, "client left"],
  ["interrupted", "upstream_timeout", "backend too slow"],
  ["failed", "upstream_error", "backend failed"],
  ["failed", "something_new", "failed"],
  ["failed", null, "failed"],
] as const)("%s with the code %s reads as “%s”", (outcome, error_code, expectedText) => {
  expect(describeResult({ outcome, error_code })).toBe(expectedText);
});

test("an unknown outcome is its own label", () => {
  expect(getOutcomeLabel("paused")).toBe("paused");
});
