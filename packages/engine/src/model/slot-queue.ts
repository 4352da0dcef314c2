/** A semaphore with a fixed number of slots, by priority and then in the order of requests. */
export type SlotQueue = {
  readonly active: number;
  readonly waiting: number;
  /**
   * Resolves with a function that releases the slot (idempotent); rejects when the signal aborts. Requests with a lower
   * `priority` go first.
   */
  acquire(signal: AbortSignal, priority: number): Promise<() => void>;
};

type Waiter = { priority: number; start(): void };

/** Creates a queue for this many slots. */
export function createSlotQueue(slots: number): SlotQueue {
  const waiters: Waiter[] = [];
  let active = 0;

  const createRelease = () => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      active--;
      waiters[0]?.start();
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
      return waiters.length;
    },
    async acquire(signal, priority) {
      signal.throwIfAborted();
      if (active < slots && waiters.length === 0) return takeSlot();
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          priority,
          start() {
            stopWaiting();
            resolve(takeSlot());
          },
        };
        const stopWaiting = () => {
          waiters.splice(waiters.indexOf(waiter), 1);
          signal.removeEventListener("abort", onAbort);
        };
        const onAbort = () => {
          stopWaiting();
          reject(signal.reason);
        };
        insert(waiters, waiter);
        signal.addEventListener("abort", onAbort);
      });
    },
  };
}

/** Inserts a request before all with a higher value of priority. */
function insert(waiters: Waiter[], waiter: Waiter): void {
  const at = waiters.findIndex(({ priority }) => priority > waiter.priority);
  waiters.splice(at === -1 ? waiters.length : at, 0, waiter);
}
