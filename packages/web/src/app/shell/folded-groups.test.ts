import { expect, test } from "vitest";
import type { KeyValueStore } from "#/lib/browser/storage.ts";
import { readFoldedGroups, toggleFoldedGroup } from "./folded-groups.ts";

/** A storage with one saved text. */
function createStorage(saved: string | null): KeyValueStore {
  let text = saved;
  return {
    get: () => text,
    set: (_key, value) => {
      text = value;
      return true;
    },
    remove: () => {
      text = null;
    },
  };
}

test("folding is saved, and folding again unfolds", () => {
  const storage = createStorage(null);
  expect(toggleFoldedGroup(storage, "build")).toEqual(["build"]);
  expect(toggleFoldedGroup(storage, "you")).toEqual(["build", "you"]);
  expect(readFoldedGroups(storage)).toEqual(["build", "you"]);
  expect(toggleFoldedGroup(storage, "build")).toEqual(["you"]);
  expect(readFoldedGroups(storage)).toEqual(["you"]);
});

test.each([null, "", "{", "null", "7", '{"build":true}', "[1,null]"])("%j as saved folds nothing", (saved) => {
  expect(readFoldedGroups(createStorage(saved))).toEqual([]);
});
