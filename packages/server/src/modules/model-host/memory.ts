/** Releases reserved memory. Idempotent. */
export type Release = () => void;

/** Memory of an engine's process without its model, in bytes. */
const PROCESS = 200 * 1024 * 1024;

/** The memory that all models on this machine share, in bytes. */
export type Memory = ReturnType<typeof createMemory>;

/** Creates a memory budget of this many bytes. */
export function createMemory(budget: number) {
  const taken = new Map<symbol, number>();
  const waiting = new Set<() => void>();
  let reclaim: (bytes: number) => void = () => {};
  const free = () => budget - [...taken.values()].reduce((sum, bytes) => sum + bytes, 0);

  return {
    budget,
    free,
    /**
     * Reserves memory. Returns null if there is not enough: the `onShortage` listener is called, and `onReleased` says
     * when to retry.
     */
    take(bytes: number): Release | null {
      if (bytes > free()) {
        reclaim(bytes - free());
        return null;
      }
      const key = Symbol("memory");
      taken.set(key, bytes);
      return () => {
        if (taken.delete(key)) for (const tell of [...waiting]) tell();
      };
    },
    /**
     * Sets the listener that is called with the missing bytes. It releases idle memory, or nothing if that is not
     * enough.
     */
    onNeed(give: (bytes: number) => void): void {
      reclaim = give;
    },
    onFree(tell: () => void): () => void {
      waiting.add(tell);
      return () => waiting.delete(tell);
    },
  };
}

/** Estimates the memory of an engine in bytes: process, file, and the context of all sequences. */
export function engineBytes(
  model: { size: number; contextLength: number; bytesPerToken: number },
  sequences = 4,
): number {
  return PROCESS + model.size + model.contextLength * model.bytesPerToken * sequences;
}
