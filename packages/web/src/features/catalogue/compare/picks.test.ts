import { expect, test } from "vitest";
import { comparisonPath, parsePicks, pickingPath, togglePick } from "./picks.ts";

test.each([
  ["a/1,b/2", ["a/1", "b/2"]],
  ["a/1,a/1,b/2", ["a/1", "b/2"]],
  ["a/1,,nonsense,b/2/3,<b>", ["a/1"]],
  ["a/1,b/2,c/3,d/4,e/5", ["a/1", "b/2", "c/3", "d/4"]],
  ["", []],
  [null, []],
])("parses %j as %j", (text, ids) => {
  expect(parsePicks(text)).toEqual(ids);
});

test("the comparison toggles a model, and ignores a fifth", () => {
  expect(togglePick(["a/1"], "b/2")).toEqual(["a/1", "b/2"]);
  expect(togglePick(["a/1", "b/2"], "a/1")).toEqual(["b/2"]);
  expect(togglePick(["a/1", "b/2", "c/3", "d/4"], "e/5")).toEqual(["a/1", "b/2", "c/3", "d/4"]);
});

test("the comparison keeps filters and selection on the way to it and back", () => {
  const list = new URLSearchParams("family=qwen&pick=a/1");
  expect(comparisonPath(list, ["a/1", "b/2"])).toBe("/models?family=qwen&compare=a/1,b/2");
  expect(pickingPath(new URLSearchParams("family=qwen&compare=a/1,b/2"), ["a/1", "b/2"])).toBe(
    "/models?family=qwen&pick=a/1,b/2",
  );
  expect(pickingPath(new URLSearchParams("compare=a/1"), [])).toBe("/models");
});
