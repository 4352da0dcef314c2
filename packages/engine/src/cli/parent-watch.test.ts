import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchParent } from "./parent-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the end of the watched process is reported once", () => {
  let alive = true;
  const onGone = vi.fn();
  watchParent({ parentPid: 7, currentParent: () => 1, isAlive: () => alive, intervalMs: 2000 }, onGone);
  vi.advanceTimersByTime(10_000);
  expect(onGone).not.toHaveBeenCalled();
  alive = false;
  vi.advanceTimersByTime(10_000);
  expect(onGone).toHaveBeenCalledTimes(1);
});

test("a dead parent that nobody waited for is noticed by the change of parent", () => {
  let parent = 7;
  const onGone = vi.fn();
  watchParent({ parentPid: 7, currentParent: () => parent, isAlive: () => true, intervalMs: 2000 }, onGone);
  parent = 1;
  vi.advanceTimersByTime(2000);
  expect(onGone).toHaveBeenCalledTimes(1);
});
