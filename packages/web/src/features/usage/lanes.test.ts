import { expect, test } from "vitest";
import { assignLanes } from "./lanes.ts";

test("a request takes the lowest free lane for each of its units", () => {
  const bars = assignLanes([
    { id: "b", start: 5, end: 15, units: 1 },
    { id: "a", start: 0, end: 10, units: 2 },
    { id: "c", start: 10, end: 20, units: 1 },
  ]);
  expect(bars.map(({ id, lane }) => [id, lane])).toEqual([
    ["a", 0],
    ["a", 1],
    ["b", 2],
    ["c", 0],
  ]);
});
