/** Timings in milliseconds, and the height of the bar in pixels. */
export const LOADING_BAR = { throttle: 200, duration: 2000, hideDelay: 500, resetDelay: 400, height: 3 } as const;

/** What the loading bar shows; `progress` is a percentage of the width from 0 to 100. */
export type LoadingBarView = { progress: number; visible: boolean; failed: boolean };

const IDLE: LoadingBarView = { progress: 0, visible: false, failed: false };
const FRAME_INTERVAL_MS = 100;

/**
 * Returns the estimated progress in percent after this many milliseconds: it rises fast at first, then slower, and
 * never reaches 100.
 */
export function estimateProgress(elapsedMs: number, durationMs: number = LOADING_BAR.duration): number {
  return ((2 / Math.PI) * 100 * Math.atan(((elapsedMs / durationMs) * 100) / 50)) as number;
}

/**
 * Creates the store of the loading bar. Loads shorter than the throttle are not shown; when the last load ends, the bar
 * fills up, hides and resets. A failure ends it in the error colour.
 */
export function createLoadingBar() {
  const listeners = new Set<() => void>();
  let view = IDLE;
  let activeLoads = 0;
  let timers: ReturnType<typeof setTimeout>[] = [];

  function update(change: Partial<LoadingBarView>): void {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  }

  function clearTimers(): void {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  }

  const schedule = (delayMs: number, run: () => void) => void timers.push(setTimeout(run, delayMs));

  function advance(startedAt: number): void {
    update({ progress: estimateProgress(Date.now() - startedAt) });
    schedule(FRAME_INTERVAL_MS, () => advance(startedAt));
  }

  function show(): void {
    clearTimers();
    update(IDLE);
    schedule(LOADING_BAR.throttle, () => {
      update({ visible: true });
      advance(Date.now());
    });
  }

  function finish(failed: boolean): void {
    clearTimers();
    update({ progress: 100, failed });
    if (failed) update({ visible: true });
    schedule(LOADING_BAR.hideDelay, () => {
      update({ visible: false });
      schedule(LOADING_BAR.resetDelay, () => update(IDLE));
    });
  }

  return {
    get: () => view,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Starts a load. Returns a function that ends it. */
    start(): () => void {
      activeLoads += 1;
      if (activeLoads === 1) show();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        activeLoads -= 1;
        if (activeLoads === 0 && !view.failed) finish(false);
      };
    },
    /** Ends all loads in the error colour. */
    fail(): void {
      finish(true);
    },
  };
}

export type LoadingBarStore = ReturnType<typeof createLoadingBar>;
