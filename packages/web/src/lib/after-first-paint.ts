/** Runs something once the page stands and the browser has a moment; answers what calls it off. */
export function afterFirstPaint(run: () => void): () => void {
  let called = true;
  const go = () => called && run();
  const idle = () => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(go, { timeout: 2000 });
    else setTimeout(go, 200);
  };
  // The frame after next begins when the first one was painted.
  requestAnimationFrame(() => requestAnimationFrame(idle));
  return () => {
    called = false;
  };
}
