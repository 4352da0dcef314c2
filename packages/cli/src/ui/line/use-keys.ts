import { type Key, useInput } from "ink";
import { useEffect, useState } from "react";
import { type KeyPress, splitKeys } from "./keys.ts";

/**
 * Calls a handler for each key. Keys that arrive together are handled one after the other, each with the state that the one
 * before has left.
 */
export function useKeys(onKey: (input: string, key: Key) => void): void {
  const [pending, setPending] = useState<readonly KeyPress[]>([]);
  useInput((input, key) => setPending((before) => [...before, ...splitKeys(input, key)]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handler of the latest render is called, once for each key
  useEffect(() => {
    const [next, ...rest] = pending;
    if (next === undefined) return;
    setPending(rest);
    onKey(...next);
  }, [pending]);
}
