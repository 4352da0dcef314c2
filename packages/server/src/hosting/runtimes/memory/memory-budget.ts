import { overheadBytesOf, type RuntimeName } from "../runtime-list.ts";

/** Releases reserved memory. Idempotent. */
export type Release = () => void;

/** The memory that the models of one runtime share, in bytes. */
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
     * Reserves memory. Returns null if there is not enough, after it called the `onShortage` listener. Listeners of
     * `onReleased` are called when a retry may succeed.
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
     * Sets the listener that is called with the number of missing bytes. It unloads idle models if that frees enough
     * memory.
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

/** The sizes that decide how much memory a model takes. Sizes are in bytes, the context is in tokens. */
export type EstimatedModel = {
  runtime?: RuntimeName;
  size: number;
  contextLength: number;
  bytesPerToken: number;
  bytesPerSequence?: number;
  vocabularyBytes?: number;
  projectorBytes?: number;
};

/** Estimates the memory of an engine in bytes: process, files, vocabulary, and the context of all sequences. */
export function estimateEngineBytes(model: EstimatedModel, sequences = 4): number {
  const { size, contextLength, bytesPerToken, bytesPerSequence = 0 } = model;
  const { vocabularyBytes = 0, projectorBytes = 0 } = model;
  const fixed = overheadBytesOf(model) + size + vocabularyBytes + projectorBytes;
  return fixed + (contextLength * bytesPerToken + bytesPerSequence) * sequences;
}
