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
