/** A timer that calls back after a time without activity. */
export type IdleTimer = {
  /** Records activity. */
  note(): void;
  stop(): void;
};

/**
 * Starts a timer that calls `onIdle` each time that `idleMs` milliseconds pass without activity. Recording activity only
 * reads the clock, so it is cheaper than refreshing a timer each time.
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
