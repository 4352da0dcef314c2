import { expect, test } from "vitest";
import { toDunningSteps } from "./dunning-steps.ts";

test.each([
  [
    "[1,3]",
    [
      { day: 0, isLast: false },
      { day: 1, isLast: false },
      { day: 3, isLast: true },
    ],
  ],
  ["[]", [{ day: 0, isLast: true }]],
])("the attempts of %s begin on the day of the invoice, and the plan ends after the last", (setting, steps) => {
  expect(toDunningSteps(setting)).toEqual(steps);
});
