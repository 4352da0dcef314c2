import { type Key, useInput } from "ink";
import { useEffect, useState } from "react";
import { type KeyPress, splitKeys } from "./keys.ts";

/** When keys are handled, and whether they go into a single line, where a line break is Enter. */
export type KeysOptions = { readonly isActive?: boolean; readonly isSingleLine?: boolean };

/**
 * Calls a handler for each key. Keys that arrive together are handled one after the other, each with the state that the one
 * before has left.
 */
export function useKeys(
  onKey: (input: string, key: Key) => void,
  { isActive = true, isSingleLine = false }: KeysOptions = {},
): void {
  const [pending, setPending] = useState<readonly KeyPress[]>([]);
  useInput((input, key) => setPending((before) => [...before, ...splitKeys(input, key, isSingleLine)]), { isActive });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handler of the latest render is called, once for each key
  useEffect(() => {
    const [next] = pending;
    if (next === undefined || !isActive) return;
    setPending((before) => before.slice(1));
    onKey(...next);
  }, [pending]);
}
