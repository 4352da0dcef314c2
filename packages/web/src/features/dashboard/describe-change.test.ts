import { expect, test } from "vitest";
import { describeChange } from "./describe-change.ts";

test.each([
  [112, 100, "12 % more than in the 7 days before"],
  [40, 100, "60 % less than in the 7 days before"],
  [0, 100, "100 % less than in the 7 days before"],
  [300, 100, "200 % more than in the 7 days before"],
  [1001, 1000, "as in the 7 days before"],
  [5, 0, "none in the 7 days before"],
  [0, 0, ""],
])("%d now and %d before is described as %j", (now, before, words) => expect(describeChange(now, before)).toBe(words));
