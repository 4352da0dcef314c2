/** Releases reserved memory. Idempotent. */
export type Release = () => void;

/** Memory of an engine's process without its model, in bytes. */
const PROCESS_OVERHEAD_BYTES = 200 * 1024 * 1024;

/** The memory that all models on this machine share, in bytes. */
export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/** Creates a memory budget of this many bytes. */
export function createMemoryBudget(budget: number) {
  const reservations = new Map<symbol, number>();
  const releaseListeners = new Set<() => void>();
  let reclaim: (bytes: number) => void = () => {};
  const free = () => budget - [...reservations.values()].reduce((sum, bytes) => sum + bytes, 0);

  return {
    budget,
    free,
    /**
     * Reserves memory. Returns null if there is not enough: the `onShortage` listener is called, and `onReleased` says
     * when to retry.
     */
    reserve(bytes: number): Release | null {
      if (bytes > free()) {
        reclaim(bytes - free());
        return null;
      }
      const key = Symbol("memory");
      reservations.set(key, bytes);
      return () => {
        if (reservations.delete(key)) for (const listener of [...releaseListeners]) listener();
      };
    },
    /**
     * Sets the listener that is called with the missing bytes. It releases idle memory, or nothing if that is not
     * enough.
     */
    onShortage(listener: (bytes: number) => void): void {
      reclaim = listener;
    },
    onReleased(listener: () => void): () => void {
      releaseListeners.add(listener);
      return () => releaseListeners.delete(listener);
    },
  };
}

/** Estimates the memory of an engine in bytes: process, file, and the context of all sequences. */
export function estimateEngineBytes(
  model: { size: number; contextLength: number; bytesPerToken: number },
  sequences = 4,
): number {
  return PROCESS_OVERHEAD_BYTES + model.size + model.contextLength * model.bytesPerToken * sequences;
}
