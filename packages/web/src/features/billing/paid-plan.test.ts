import { expect, test } from "vitest";
import { isPaidPlan } from "./paid-plan.ts";

test.each([
  ["feather_lite", false],
  ["feather_pro_plus", true],
  ["feather_enterprise", true],
  ["club", true],
])("the plan %s is a paid one: %s", (id, isPaid) => {
  expect(isPaidPlan({ id })).toBe(isPaid);
});
