import { afterEach, expect, test, vi } from "vitest";
import { storage, tabStorage } from "./storage.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["localStorage", storage],
  ["sessionStorage", tabStorage],
])("%s sets, gets and removes values", (_, store) => {
  expect(store.set("a", "1")).toBe(true);
  expect(store.get("a")).toBe("1");
  store.remove("a");
  expect(store.get("a")).toBeNull();
});

test("storing returns false if the storage is full", () => {
  const full = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { setItem: full, getItem: () => null, removeItem: () => {} });
  expect(storage.set("a", "1")).toBe(false);
});

test("reading a stored value returns null and never throws if access is denied", () => {
  const denied = {
    get() {
      throw new DOMException("denied", "SecurityError");
    },
    configurable: true,
  };
  const saved = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  Object.defineProperty(globalThis, "localStorage", denied);
  try {
    expect(storage.get("a")).toBeNull();
    expect(storage.set("a", "1")).toBe(false);
    expect(() => storage.remove("a")).not.toThrow();
  } finally {
    if (saved) Object.defineProperty(globalThis, "localStorage", saved);
  }
});
