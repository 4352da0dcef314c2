/** Timings in milliseconds, and the height of the bar in pixels. */
export const LOADING_BAR = { throttle: 200, duration: 2000, hideDelay: 500, resetDelay: 400, height: 3 } as const;

/** What the loading bar shows; `progress` is a percentage of the width from 0 to 100. */
export type LoadingBarView = { progress: number; visible: boolean; failed: boolean };

const REST: LoadingBarView = { progress: 0, visible: false, failed: false };
const FRAME = 100;

/** Returns the estimated progress in percent after so many milliseconds: fast at first, then slower, never 100. */
export function estimate(elapsed: number, duration: number = LOADING_BAR.duration): number {
  return ((2 / Math.PI) * 100 * Math.atan(((elapsed / duration) * 100) / 50)) as number;
}

/**
 * Creates the store of the loading bar. Loads shorter than the throttle are not shown; when the last load ends, the bar
 * fills up, hides and resets. A failure ends it in the error colour.
 */
export function createLoadingBar() {
  const listeners = new Set<() => void>();
  let view = REST;
  let loads = 0;
  let timers: ReturnType<typeof setTimeout>[] = [];

  function draw(change: Partial<LoadingBarView>): void {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  }

  function clearTimers(): void {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  }

  const after = (delay: number, run: () => void) => void timers.push(setTimeout(run, delay));

  function advance(began: number): void {
    draw({ progress: estimate(Date.now() - began) });
    after(FRAME, () => advance(began));
  }

  function begin(): void {
    clearTimers();
    draw(REST);
    after(LOADING_BAR.throttle, () => {
      draw({ visible: true });
      advance(Date.now());
    });
  }

  function end(failed: boolean): void {
    clearTimers();
    draw({ progress: 100, failed });
    if (failed) draw({ visible: true });
    after(LOADING_BAR.hideDelay, () => {
      draw({ visible: false });
      after(LOADING_BAR.resetDelay, () => draw(REST));
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
      loads += 1;
      if (loads === 1) begin();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        loads -= 1;
        if (loads === 0 && !view.failed) end(false);
      };
    },
    /** Ends all loads in the error colour. */
    fail(): void {
      end(true);
    },
  };
}

export type LoadingBarStore = ReturnType<typeof createLoadingBar>;
