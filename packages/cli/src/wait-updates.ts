/** What the server sends of work. */
type Updates<Work> = {
  /** Returns the last update that was not taken yet. */
  take(): { readonly work: Work } | undefined;
  /** Whether updates say everything: they come, and the work was polled since they began. */
  isComplete(): boolean;
  /** Notes that the work is polled now; the returned function notes that there was an answer. */
  beginPoll(): () => void;
  /** Resolves with the next update that was not taken yet. */
  changed(): Promise<void>;
  /** Ends the updates; after that the work is only polled. */
  stop(): void;
};

/**
 * Follows updates of work until they end or fail, which is no error: the work is polled then. `open` is undefined where there
 * are none.
 */
export function followUpdates<Work>(
  open: ((signal: AbortSignal) => AsyncIterable<Work | undefined>) | undefined,
  signal: AbortSignal,
): Updates<Work> {
  const stopped = new AbortController();
  const state = { isOpen: false, isComplete: false, last: undefined as { readonly work: Work } | undefined };
  let next = Promise.withResolvers<void>();

  async function follow(): Promise<void> {
    if (open === undefined) return;
    try {
      for await (const work of open(AbortSignal.any([signal, stopped.signal]))) {
        state.isOpen = true;
        if (work === undefined) continue;
        state.last = { work };
        next.resolve();
      }
    } catch {
      // An older server has none, or the connection broke.
    } finally {
      Object.assign(state, { isOpen: false, isComplete: false });
    }
  }

  void follow();
  return {
    take() {
      const { last } = state;
      state.last = undefined;
      if (last !== undefined) next = Promise.withResolvers();
      return last;
    },
    isComplete: () => state.isComplete,
    beginPoll() {
      const wasOpen = state.isOpen;
      return () => {
        state.isComplete = wasOpen && state.isOpen;
      };
    },
    changed: () => next.promise,
    stop() {
      Object.assign(state, { isOpen: false, isComplete: false, last: undefined });
      stopped.abort();
    },
  };
}
