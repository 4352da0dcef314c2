import { expect, vi } from "vitest";

/** Ends a wait for something that never happens. Long enough for a busy machine: how long a wait takes decides nothing. */
const LIMIT_MS = 120_000;

/** Repeats an assertion until it holds, and returns its result. Fails with its last error after two minutes. */
export function waitFor<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: LIMIT_MS, interval: 10 });
}

/** Returns once at least `count` of the promises have resolved. Fails after two minutes. */
export async function waitForResolved(promises: readonly Promise<unknown>[], count: number): Promise<void> {
  let resolved = 0;
  const onResolved = () => {
    resolved += 1;
  };
  for (const promise of promises) promise.then(onResolved, () => {});
  await waitFor(() => expect(resolved).toBeGreaterThanOrEqual(count));
}
