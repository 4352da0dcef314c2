import { useRef, useState } from "react";
import { createAttemptKeys } from "./attempt-keys.ts";

type Send<I, R> = (input: I, options: { idempotencyKey: string }) => PromiseLike<R>;

/**
 * Does something that must happen once. While it runs, asking again does nothing; after a failure whose outcome is not
 * known, asking again is the same call. `run` answers what came, or null when it failed, and then `error` says why. What
 * is done `once` stays done: a second press while the page goes on to the next does nothing either.
 */
export function useAttempt<I, R>(send: Send<I, R>, { once = false } = {}) {
  const keys = useRef<ReturnType<typeof createAttemptKeys> | null>(null);
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function run(input: I): Promise<{ value: R } | null> {
    if (running.current) return null;
    running.current = true;
    keys.current ??= createAttemptKeys();
    setBusy(true);
    setError(null);
    try {
      const value = await send(input, { idempotencyKey: keys.current.keyFor(input) });
      keys.current.settle();
      if (!once) rest();
      return { value };
    } catch (failure) {
      keys.current.settle(failure);
      setError(failure);
      rest();
      return null;
    }
  }

  function rest(): void {
    running.current = false;
    setBusy(false);
  }

  return { run, busy, error, forget: () => setError(null) };
}
