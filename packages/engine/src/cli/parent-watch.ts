export type ParentWatch = {
  parentPid: number;
  /** The process that started this one, as of now. */
  currentParent: () => number;
  isAlive: (pid: number) => boolean;
  intervalMs: number;
};

/** Calls back once when the watched process has ended. Returns a function that ends the watch. */
export function watchParent(watch: ParentWatch, onGone: () => void): () => void {
  // A dead parent that nobody has waited for still answers signals, but its children get a new parent at once.
  const isDirect = watch.currentParent() === watch.parentPid;
  const timer = setInterval(() => {
    const isGone = (isDirect && watch.currentParent() !== watch.parentPid) || !watch.isAlive(watch.parentPid);
    if (!isGone) return;
    clearInterval(timer);
    onGone();
  }, watch.intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether a process exists; one that we may not signal does exist. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
