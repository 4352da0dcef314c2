/** Gives the memory back; doing it twice is fine. */
export type Release = () => void;

/** What a process takes besides the model in it. */
const PROCESS = 200 * 1024 * 1024;

/** The memory that models may take on this machine, shared by everything that loads one. */
export type Memory = ReturnType<typeof createMemory>;

export function createMemory(budget: number) {
  const taken = new Map<symbol, number>();
  const waiting = new Set<() => void>();
  let reclaim: (bytes: number) => void = () => {};
  const free = () => budget - [...taken.values()].reduce((sum, bytes) => sum + bytes, 0);

  return {
    budget,
    free,
    /** Null where there is no room just now; what is idle is asked to make some, and `onFree` tells when to try again. */
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
    /** Who is asked for room: it gives back what it can do without, or nothing if that would not be enough. */
    onNeed(give: (bytes: number) => void): void {
      reclaim = give;
    },
    onFree(tell: () => void): () => void {
      waiting.add(tell);
      return () => waiting.delete(tell);
    },
  };
}

/** What an engine takes: the file, and the context of everything that it may work at. */
export function engineBytes(
  model: { size: number; contextLength: number; bytesPerToken: number },
  sequences = 4,
): number {
  return PROCESS + model.size + model.contextLength * model.bytesPerToken * sequences;
}
