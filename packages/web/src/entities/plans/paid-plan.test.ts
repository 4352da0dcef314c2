import { expect, test } from "vitest";
import { isPaidPlan } from "./paid-plan.ts";

test.each([
  ["feather_lite", false],
  ["feather_pro_plus", true],
  ["feather_enterprise", true],
  ["club", true],
])("isPaidPlan of %s is %s", (id, isPaid) => {
  expect(isPaidPlan({ id })).toBe(isPaid);
});
