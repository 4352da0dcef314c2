import { expect, test } from "vitest";
import { createItemList } from "./item-list.ts";

test("a list has the items that were added and not removed, whatever the order of removals", () => {
  const list = createItemList<string>();
  const remove = new Map(["a", "b", "c", "d"].map((item) => [item, list.add(item)]));
  for (const [item, rest] of [
    ["b", ["a", "c", "d"]],
    ["d", ["a", "c"]],
    ["a", ["c"]],
    ["c", []],
  ] as const) {
    remove.get(item)?.();
    expect(list.list().toSorted()).toEqual(rest);
    expect(list.count()).toBe(rest.length);
  }
  list.add("e");
  expect(list.list()).toEqual(["e"]);
});
