import type { ServerResponse } from "node:http";

const KEEP_ALIVE_MS = 15_000;
const SHUTDOWN_CHECK_MS = 500;
const RECHECK_MS = 2_000;

/** The conditions under which an open event stream ends. */
export type LiveStreamOptions = {
  /** Returns whether the server is stopping. The stream then ends, because the server waits for it. */
  isDraining(): boolean;
  /** Throws if the caller has lost access. */
  recheck(): Promise<void>;
};

/**
 * Sends comments while an event stream is idle, and ends it when the server stops or the caller loses access. `onClose` is
 * called once, however it ends.
 */
export function keepLive(raw: ServerResponse, { isDraining, recheck }: LiveStreamOptions, onClose: () => void): void {
  const timers = [
    setInterval(() => raw.writableNeedDrain || raw.write(": keep-alive\n\n"), KEEP_ALIVE_MS),
    setInterval(() => isDraining() && raw.end(), SHUTDOWN_CHECK_MS),
    setInterval(() => recheck().catch(() => raw.end()), RECHECK_MS),
  ];
  raw.once("close", () => {
    for (const timer of timers) clearInterval(timer);
    onClose();
  });
}
