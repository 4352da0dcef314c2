import { expect, test } from "vitest";
import { extractParameter } from "./query-parameter.ts";

test.each([
  ["", null, ""],
  ["?page=2", null, "?page=2"],
  ["?error=It+broke.", "It broke.", ""],
  ["?a=1&error=x&b=%202", "x", "?a=1&b=+2"],
  ["?error=x&error=y", "x", ""],
  ["?error=", "", ""],
  ["?error", "", ""],
  ["?errors=x", null, "?errors=x"],
  ["?error=%3Cscript%3Ealert(1)%3C/script%3E", "<script>alert(1)</script>", ""],
])("of the query %j the value %j is taken, and %j is left", (search, value, rest) => {
  expect(extractParameter(search, "error")).toEqual({ value, rest });
});
