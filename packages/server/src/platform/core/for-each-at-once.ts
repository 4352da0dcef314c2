/**
 * Calls `act` for each item in order, for at most `atOnce` of them at a time. Begins no further one once `stopping` has aborted.
 * Rejects if `act` does; those in progress then still end.
 */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  // One iterator for all, from which each takes the next item.
  const rest = items.values();
  async function work(): Promise<void> {
    for (const item of rest) {
      if (stopping?.aborted) return;
      await act(item);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}
