import { expect, test } from "vitest";
import { comparing, picking, readPicks, toggled } from "./picks.ts";

test.each([
  ["a/1,b/2", ["a/1", "b/2"]],
  ["a/1,a/1,b/2", ["a/1", "b/2"]],
  ["a/1,,nonsense,b/2/3,<b>", ["a/1"]],
  ["a/1,b/2,c/3,d/4,e/5", ["a/1", "b/2", "c/3", "d/4"]],
  ["", []],
  [null, []],
])("reads %j as %j", (text, ids) => {
  expect(readPicks(text)).toEqual(ids);
});

test("one is picked and put back; a fifth is none", () => {
  expect(toggled(["a/1"], "b/2")).toEqual(["a/1", "b/2"]);
  expect(toggled(["a/1", "b/2"], "a/1")).toEqual(["b/2"]);
  expect(toggled(["a/1", "b/2", "c/3", "d/4"], "e/5")).toEqual(["a/1", "b/2", "c/3", "d/4"]);
});

test("there and back keeps the filters and the picks", () => {
  const list = new URLSearchParams("family=qwen&pick=a/1");
  expect(comparing(list, ["a/1", "b/2"])).toBe("/models?family=qwen&compare=a/1,b/2");
  expect(picking(new URLSearchParams("family=qwen&compare=a/1,b/2"), ["a/1", "b/2"])).toBe(
    "/models?family=qwen&pick=a/1,b/2",
  );
  expect(picking(new URLSearchParams("compare=a/1"), [])).toBe("/models");
});
