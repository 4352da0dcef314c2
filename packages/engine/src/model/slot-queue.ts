/** A semaphore with a fixed number of slots, in the order of requests. */
export type SlotQueue = {
  readonly active: number;
  readonly waiting: number;
  /** Resolves with a function that releases the slot (idempotent); rejects when the signal aborts. */
  acquire(signal: AbortSignal): Promise<() => void>;
};

/** Creates a queue for this many slots. */
export function createSlotQueue(slots: number): SlotQueue {
  const waiters = new Set<() => void>();
  let active = 0;

  const createRelease = () => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      active--;
      const [next] = waiters;
      next?.();
    };
  };
  const takeSlot = () => {
    active++;
    return createRelease();
  };

  return {
    get active() {
      return active;
    },
    get waiting() {
      return waiters.size;
    },
    async acquire(signal) {
      signal.throwIfAborted();
      if (active < slots && waiters.size === 0) return takeSlot();
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          waiters.delete(onSlotFree);
          signal.removeEventListener("abort", onAbort);
        };
        const onSlotFree = () => {
          stopWaiting();
          resolve(takeSlot());
        };
        const onAbort = () => {
          stopWaiting();
          reject(signal.reason);
        };
        waiters.add(onSlotFree);
        signal.addEventListener("abort", onAbort);
      });
    },
  };
}
