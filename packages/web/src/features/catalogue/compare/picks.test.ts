import { expect, test } from "vitest";
import { comparing, picking, readPicks, toggled } from "./picks.ts";

test.each([
  ["a/1,b/2", ["a/1", "b/2"]],
  ["a/1,a/1,b/2", ["a/1", "b/2"]],
  ["a/1,,nonsense,b/2/3,<b>", ["a/1"]],
  ["a/1,b/2,c/3,d/4,e/5", ["a/1", "b/2", "c/3", "d/4"]],
  ["", []],
  [null, []],
])("parses %j as %j", (text, ids) => {
  expect(readPicks(text)).toEqual(ids);
});

test("toggles a model, and ignores a fifth", () => {
  expect(toggled(["a/1"], "b/2")).toEqual(["a/1", "b/2"]);
  expect(toggled(["a/1", "b/2"], "a/1")).toEqual(["b/2"]);
  expect(toggled(["a/1", "b/2", "c/3", "d/4"], "e/5")).toEqual(["a/1", "b/2", "c/3", "d/4"]);
});

test("keeps filters and selection on the way to the comparison and back", () => {
  const list = new URLSearchParams("family=qwen&pick=a/1");
  expect(comparing(list, ["a/1", "b/2"])).toBe("/models?family=qwen&compare=a/1,b/2");
  expect(picking(new URLSearchParams("family=qwen&compare=a/1,b/2"), ["a/1", "b/2"])).toBe(
    "/models?family=qwen&pick=a/1,b/2",
  );
  expect(picking(new URLSearchParams("compare=a/1"), [])).toBe("/models");
});
