import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** A program that no shell watches is not stopped by the operating system. */
const NOT_STOPPED_MS = 500;

/**
 * Stops this program and those that it was started with, as Ctrl-Z does in a terminal, and resolves when a shell continues it.
 * Does nothing on Windows, and where no shell could continue it.
 */
export async function stopProcess(): Promise<void> {
  if (process.platform === "win32") return;
  const end = new AbortController();
  const continued = once(process, "SIGCONT", { signal: end.signal }).catch(() => {});
  process.kill(0, "SIGTSTP");
  await Promise.race([continued, wait(NOT_STOPPED_MS)]);
  end.abort();
}
