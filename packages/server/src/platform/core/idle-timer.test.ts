import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startIdleTimer } from "./idle-timer.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("an idle timer calls back each time that nothing was noted for so long, and not after it was stopped", () => {
  const onIdle = vi.fn();
  const timer = startIdleTimer(100, onIdle);
  vi.advanceTimersByTime(60);
  timer.note();
  vi.advanceTimersByTime(99);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(99);
  expect(onIdle).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledTimes(2);
  timer.stop();
  vi.advanceTimersByTime(1_000);
  expect(onIdle).toHaveBeenCalledTimes(2);
});

test("an idle timer that is stopped while it calls back does not call back again", () => {
  const onIdle = vi.fn(() => timer.stop());
  const timer = startIdleTimer(100, onIdle);
  vi.advanceTimersByTime(1_000);
  expect(onIdle).toHaveBeenCalledTimes(1);
});
