import { vi } from "vitest";

/** Ends a wait for something that never happens. Long enough for a busy machine: how long a wait takes decides nothing. */
const LIMIT_MS = 60_000;

/** Repeats an assertion until it holds, and returns its result. Fails with its last error after a minute. */
export function waitFor<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: LIMIT_MS, interval: 10 });
}
