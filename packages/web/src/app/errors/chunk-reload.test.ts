import { expect, test, vi } from "vitest";
import type { KeyValueStore } from "#/lib/browser/storage.ts";
import { reloadAfterChunkError } from "./chunk-reload.ts";

const LOST = new TypeError("Failed to fetch dynamically imported module: https://x/assets/models-1.js");

function memory(saved?: string): KeyValueStore {
  const entries = new Map(saved === undefined ? [] : [["chunk-reload", saved]]);
  return {
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => Boolean(entries.set(key, value)),
    remove: (key) => void entries.delete(key),
  };
}

test.each([
  LOST,
  new TypeError("error loading dynamically imported module: https://x"),
  new TypeError("Importing a module script failed."),
  new Error("Unable to preload CSS for /assets/x.css"),
])("%s reloads the page", (error) => {
  const reload = vi.fn();
  expect(reloadAfterChunkError(error, "/models", { storage: memory(), reload })).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
});

test.each([new Error("It broke."), "Failed to fetch dynamically imported module", null])(
  "%s does not reload the page",
  (error) => {
    const reload = vi.fn();
    expect(reloadAfterChunkError(error, "/models", { storage: memory(), reload })).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  },
);

test.each<[string, number, string, boolean]>([
  ["the same path within ten seconds", 9_999, "/models", false],
  ["the same path after ten seconds", 10_000, "/models", true],
  ["another path meanwhile", 1, "/chat", true],
])("decides whether to reload for %s", (_, later, path, reloads) => {
  const storage = memory();
  const reload = () => {};
  reloadAfterChunkError(LOST, "/models", { storage, now: 1000, reload });
  expect(reloadAfterChunkError(LOST, path, { storage, now: 1000 + later, reload })).toBe(reloads);
});

test("stops reloading when two paths fail in turn", () => {
  const storage = memory();
  const answers = ["/a", "/b", "/a", "/b"].map((path, index) =>
    reloadAfterChunkError(LOST, path, { storage, now: index, reload: () => {} }),
  );
  expect(answers).toEqual([true, true, false, false]);
});

test.each(["{", "null", "[]", '{"/models":"now"}', '{"/models":99999999999999}'])(
  "ignores an invalid record of reloads: %j",
  (saved) => {
    expect(reloadAfterChunkError(LOST, "/models", { storage: memory(saved), now: 5, reload: () => {} })).toBe(true);
  },
);

test("a lost chunk does not reload the page without working storage", () => {
  const reload = vi.fn();
  const closed = { ...memory(), set: () => false };
  expect(reloadAfterChunkError(LOST, "/models", { storage: closed, reload })).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

test("a lost chunk does not reload the page while offline", () => {
  const reload = vi.fn();
  expect(reloadAfterChunkError(LOST, "/models", { storage: memory(), online: false, reload })).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});
