import { waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { retryWhenOnline } from "./lazy-component.ts";

const LOST = new TypeError("Failed to fetch dynamically imported module");
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a lazy component retries a failed load when the browser is back online", async () => {
  let online = false;
  vi.stubGlobal("navigator", {
    get onLine() {
      return online;
    },
  });
  const load = vi.fn(async () => {
    if (!online) throw LOST;
    return "part";
  });
  const part = retryWhenOnline(load);
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  online = true;
  dispatchEvent(new Event("online"));
  expect(await part).toBe("part");
  expect(load).toHaveBeenCalledTimes(2);
});

test("a lazy component fails at once if the browser is online", async () => {
  vi.stubGlobal("navigator", { onLine: true });
  await expect(retryWhenOnline(() => Promise.reject(LOST))).rejects.toBe(LOST);
});
