/** Runs a callback when the browser is idle after the first paint. Returns a function that cancels it. */
export function runAfterFirstPaint(run: () => void): () => void {
  let isActive = true;
  const runIfActive = () => isActive && run();
  const runWhenIdle = () => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(runIfActive, { timeout: 2000 });
    else setTimeout(runIfActive, 200);
  };
  // The second animation frame starts after the first one has been painted.
  requestAnimationFrame(() => requestAnimationFrame(runWhenIdle));
  return () => {
    isActive = false;
  };
}

/** Longest wait for a paint, in milliseconds. */
const MAX_PAINT_WAIT_MS = 1_000;

/** Resolves after the next paint; at once in a background tab, which is not painted. */
export function waitForFirstPaint(): Promise<void> {
  if (document.visibilityState === "hidden") return Promise.resolve();
  return new Promise((resolve) => {
    // A timer of the animation frame runs after the frame has been painted.
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, MAX_PAINT_WAIT_MS);
  });
}
