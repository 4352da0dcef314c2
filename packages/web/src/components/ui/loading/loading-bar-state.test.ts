import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLoadingBar, estimateProgress, LOADING_BAR } from "./loading-bar-state.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the loading bar has the specified timings", () => {
  expect(LOADING_BAR).toEqual({ throttle: 200, duration: 2000, height: 3, hideDelay: 500, resetDelay: 400 });
});

test.each([
  [0, 0],
  [1000, 50],
  [2000, 70],
  [60_000, 98],
])("after %i ms the estimated progress is about %i %%", (elapsed, progress) => {
  expect(Math.abs(estimateProgress(elapsed) - progress)).toBeLessThan(2);
});

test("the loading bar does not show a short load", () => {
  const bar = createLoadingBar();
  const end = bar.start();
  vi.advanceTimersByTime(199);
  end();
  vi.advanceTimersByTime(5000);
  expect(bar.get()).toEqual({ progress: 0, visible: false, failed: false });
});

test("the loading bar shows a long load after the throttle, fills up, hides and resets", () => {
  const bar = createLoadingBar();
  const seen: boolean[] = [];
  bar.subscribe(() => seen.push(bar.get().visible));
  const end = bar.start();
  vi.advanceTimersByTime(199);
  expect(bar.get().visible).toBe(false);
  vi.advanceTimersByTime(1);
  expect(bar.get().visible).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(bar.get().progress).toBeGreaterThan(40);
  end();
  expect(bar.get()).toEqual({ progress: 100, visible: true, failed: false });
  vi.advanceTimersByTime(499);
  expect(bar.get().visible).toBe(true);
  vi.advanceTimersByTime(1);
  expect(bar.get()).toEqual({ progress: 100, visible: false, failed: false });
  vi.advanceTimersByTime(400);
  expect(bar.get()).toEqual({ progress: 0, visible: false, failed: false });
  expect(seen).toContain(true);
});

test("the loading bar lasts until the last of several loads has ended, each counted once", () => {
  const bar = createLoadingBar();
  const [one, other] = [bar.start(), bar.start()];
  vi.advanceTimersByTime(300);
  one();
  one();
  expect(bar.get().progress).toBeLessThan(100);
  other();
  expect(bar.get().progress).toBe(100);
});

test("the loading bar restarts on a new load while it is hiding", () => {
  const bar = createLoadingBar();
  bar.start()();
  const end = bar.start();
  vi.advanceTimersByTime(700);
  expect(bar.get().visible).toBe(true);
  expect(bar.get().progress).toBeLessThan(100);
  end();
});

test("the loading bar ends in the error colour after a failure, whatever is loading", () => {
  const bar = createLoadingBar();
  const end = bar.start();
  bar.fail();
  end();
  expect(bar.get()).toEqual({ progress: 100, visible: true, failed: true });
  vi.advanceTimersByTime(900);
  expect(bar.get()).toEqual({ progress: 0, visible: false, failed: false });
});
