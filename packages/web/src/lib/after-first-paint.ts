/** Runs a callback when the browser is idle after the first paint. Returns a function that cancels it. */
export function afterFirstPaint(run: () => void): () => void {
  let called = true;
  const go = () => called && run();
  const idle = () => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(go, { timeout: 2000 });
    else setTimeout(go, 200);
  };
  // The second animation frame starts after the first one has been painted.
  requestAnimationFrame(() => requestAnimationFrame(idle));
  return () => {
    called = false;
  };
}
