import { useRef, useState } from "react";
import { createIdempotencyKeys } from "./idempotency-keys.ts";

type Send<I, R> = (input: I, options: { idempotencyKey: string }) => PromiseLike<R>;

/**
 * Runs a call with an idempotency key. While it runs, `run` does nothing; after a failure with an unknown outcome, `run`
 * repeats the same call. `run` returns `{ value }`, or null if it failed (see `error`) or was already running. With
 * `once`, nothing can be run again after a success, for example while the page navigates away.
 */
export function useIdempotentAction<I, R>(send: Send<I, R>, { once = false } = {}) {
  const keys = useRef<ReturnType<typeof createIdempotencyKeys> | null>(null);
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function run(input: I): Promise<{ value: R } | null> {
    if (running.current) return null;
    running.current = true;
    keys.current ??= createIdempotencyKeys();
    setBusy(true);
    setError(null);
    try {
      const value = await send(input, { idempotencyKey: keys.current.keyFor(input) });
      keys.current.settle();
      if (!once) release();
      return { value };
    } catch (failure) {
      keys.current.settle(failure);
      setError(failure);
      release();
      return null;
    }
  }

  function release(): void {
    running.current = false;
    setBusy(false);
  }

  return { run, busy, error, clearError: () => setError(null) };
}
