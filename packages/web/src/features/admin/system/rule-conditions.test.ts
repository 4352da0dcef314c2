import { expect, test } from "vitest";
import { formatConditions } from "./rule-conditions.ts";

const anybody = { auth: null, plan: null, email_verified: null };
test.each([
  [anybody, "everybody"],
  [{ ...anybody, auth: true }, "signed in"],
  [{ ...anybody, auth: false }, "signed out"],
  [{ auth: true, email_verified: false, plan: "feather_lite" }, "signed in, e-mail not confirmed, on feather_lite"],
])("describes the conditions %j as %j", (when, expected) => {
  expect(formatConditions(when)).toBe(expected);
});
