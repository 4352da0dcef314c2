import type { Logger } from "@feather/sdk";
import { formatDuration } from "./output/time.ts";

/** Retries that take longer altogether are reported, in milliseconds. */
const SILENT_MS = 1000;

/** Returns a logger that tells about attempts that are repeated, once the wait has lasted or will last a second. */
export function createRetryNotice(tell: (text: string) => void, now: () => Date): Logger {
  let failedSince: number | undefined;
  return {
    info(_, { status, retry_in_ms: delayMs }) {
      if (typeof delayMs !== "number") return;
      failedSince ??= now().getTime();
      if (now().getTime() - failedSince + delayMs < SILENT_MS) return;
      const reason = typeof status === "number" ? `The server answered ${status}` : "The connection failed";
      tell(`${reason}. Trying again in ${formatDuration(Math.max(1000, delayMs))}.`);
    },
    debug() {
      failedSince = undefined;
    },
  };
}
