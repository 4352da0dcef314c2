import { describe, expect, test } from "vitest";
import { readHiddenColumns, saveHiddenColumns } from "./hidden-columns.ts";

function createStore(saved: Record<string, string> = {}) {
  const values = new Map(Object.entries(saved));
  return {
    get: (key: string) => values.get(key) ?? null,
    set: (key: string, value: string) => Boolean(values.set(key, value)),
    remove: (key: string) => void values.delete(key),
  };
}

describe("the hidden columns of a list", () => {
  test("the hidden columns of a list are those it begins with until the visitor chooses", () => {
    const store = createStore();
    expect(readHiddenColumns(store, "keys", ["expires"])).toEqual(["expires"]);
    saveHiddenColumns(store, "keys", []);
    expect(readHiddenColumns(store, "keys", ["expires"])).toEqual([]);
  });

  test("the hidden columns of one list leave those of another as they are", () => {
    const store = createStore();
    saveHiddenColumns(store, "keys", ["key"]);
    saveHiddenColumns(store, "members", ["joined"]);
    expect(readHiddenColumns(store, "keys", [])).toEqual(["key"]);
    expect(readHiddenColumns(store, "members", [])).toEqual(["joined"]);
  });

  test.each(["{", "[]", '{"keys":1}', "null"])("what is saved as %j counts as nothing", (saved) => {
    expect(readHiddenColumns(createStore({ "list-columns": saved }), "keys", ["key"])).toEqual(["key"]);
  });
});
