import { expect, test, vi } from "vitest";
import type { KeyValueStore } from "#/lib/browser/storage.ts";
import { acceptAll, DEFAULT_PREFERENCES, rejectAll, STORAGE_KEY, UPDATED_EVENT } from "./preferences.ts";
import { createConsentStore } from "./store.ts";

function open(saved: string | null = null, { closed = false, fails = false } = {}) {
  const kept = new Map<string, string>(saved === null ? [] : [[STORAGE_KEY, saved]]);
  const storage: KeyValueStore = {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => !closed && Boolean(kept.set(key, value)),
    remove: (key) => void kept.delete(key),
  };
  const onSignal = vi.fn(() => {
    if (fails) throw new Error("blocked");
  });
  const console = { log: vi.fn(), warn: vi.fn() };
  const target = new EventTarget();
  const announced: unknown[] = [];
  target.addEventListener(UPDATED_EVENT, (event) => announced.push((event as CustomEvent).detail));
  const store = createConsentStore({ storage, onSignal, target, console });
  return { store, kept, signal: onSignal, console, target, announced };
}

test.each([
  ["nothing saved", null, []],
  ["accepted with analytics", JSON.stringify(acceptAll(1)), [["granted"]]],
  ["rejected", JSON.stringify(rejectAll(1)), []],
  ["analytics without having accepted", '{"analytics":true}', []],
  ["a broken record", "{", []],
])("initially, %s signals %j", (_, saved, signals) => {
  expect(open(saved).signal.mock.calls).toEqual(signals);
});

test.each([
  ["accept all", acceptAll(5), "granted"],
  ["reject all", rejectAll(5), "denied"],
])("saving %s stores it, signals it and dispatches the event", (_, choice, signalled) => {
  const { store, kept, signal, announced } = open();
  const listener = vi.fn();
  const end = store.subscribe(listener);
  store.save(choice);
  expect(store.get()).toEqual(choice);
  expect(JSON.parse(kept.get(STORAGE_KEY) ?? "")).toEqual(choice);
  expect(signal.mock.calls).toEqual([[signalled]]);
  expect(announced).toEqual([choice]);
  expect(listener).toHaveBeenCalledTimes(1);
  end();
  store.save(choice);
  expect(listener).toHaveBeenCalledTimes(1);
});

test("a choice holds for the visit when the storage is full", () => {
  const { store, kept } = open(null, { closed: true });
  store.save(acceptAll(5));
  expect(store.get()).toEqual(acceptAll(5));
  expect(kept.size).toBe(0);
});

test("a failing signal logs a warning and keeps the choice", () => {
  const { store, console, announced } = open(null, { fails: true });
  store.save(acceptAll(5));
  expect(console.warn).toHaveBeenCalledWith(expect.any(String), expect.any(Error));
  expect(announced).toEqual([acceptAll(5)]);
});

test("a choice in another tab is applied", () => {
  const { store, kept, signal, target, announced } = open(JSON.stringify(acceptAll(1)));
  kept.set(STORAGE_KEY, JSON.stringify(rejectAll(2)));
  target.dispatchEvent(Object.assign(new Event("storage"), { key: STORAGE_KEY }));
  expect(store.get()).toEqual(rejectAll(2));
  expect(signal.mock.calls.at(-1)).toEqual(["denied"]);
  expect(announced).toEqual([]);
  kept.clear();
  target.dispatchEvent(Object.assign(new Event("storage"), { key: null }));
  expect(store.get()).toEqual(DEFAULT_PREFERENCES);
});
