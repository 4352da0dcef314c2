import { expect, test } from "vitest";
import { createStyle } from "../../output/style.ts";
import { buildUsage, NOW } from "../../testing/top-fixtures.ts";
import { assignLanes, formatLanes } from "./lanes.ts";

const PLAIN = createStyle(false, true);

test("the units of feather top show a request in as many units as it costs, and keep them while others come and go", () => {
  const first = assignLanes([], buildUsage({ a: 1, b: 2 }));
  expect(first).toEqual(["a", "b", "b", null]);
  const second = assignLanes(first, buildUsage({ b: 2 }));
  expect(second).toEqual([null, "b", "b", null]);
  expect(assignLanes(second, buildUsage({ b: 2, c: 2 }))).toEqual(["c", "b", "b", "c"]);
});

test("the units of feather top grow for requests beyond the limit, and for plans without one", () => {
  expect(assignLanes([], buildUsage({ a: 3 }, 2))).toEqual(["a", "a", "a"]);
  expect(assignLanes([], buildUsage({ a: 1 }, null))).toEqual(["a"]);
  expect(assignLanes(["a"], buildUsage({}, null))).toEqual([]);
});

test("the units of feather top show none for an ended request after the limit was lowered", () => {
  expect(assignLanes(["a", "b", "c", "d"], buildUsage({ d: 1 }, 2))).toEqual(["d", null]);
});

test("the units of feather top show model, time and tokens per second in the first unit of a request only", () => {
  const usage = buildUsage({ a: 2 }, 3);
  expect(formatLanes(assignLanes([], usage), usage.requests, NOW, 3, PLAIN)).toEqual([
    "1 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B  4 s  62/s",
    "2 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B",
    "3 ▱▱▱▱▱▱▱▱",
  ]);
});

test("the units of feather top count those that do not fit on the screen", () => {
  const usage = buildUsage({ a: 3 }, 4);
  expect(formatLanes(assignLanes([], usage), usage.requests, NOW, 2, PLAIN)).toEqual([
    "1 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B  4 s  62/s",
    "and 3 more units, 2 of them in use",
  ]);
});
