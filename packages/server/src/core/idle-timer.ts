/** Watches for times in which nothing happens. */
export type IdleTimer = {
  /** Says that something happens now. */
  note(): void;
  stop(): void;
};

/**
 * Calls back whenever nothing was noted for so many milliseconds. For what is noted often: that only reads the clock, while
 * refreshing a timer moves it in the list of all timers.
 */
export function startIdleTimer(idleMs: number, onIdle: () => void): IdleTimer {
  let notedAt = performance.now();
  let timer = setTimeout(check, idleMs);

  function check(): void {
    const now = performance.now();
    const isIdle = now - notedAt >= idleMs;
    if (isIdle) notedAt = now;
    timer = setTimeout(check, Math.ceil(notedAt + idleMs - now));
    if (isIdle) onIdle();
  }

  return {
    note() {
      notedAt = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
