import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 50;
/** Ends a wait that hangs. Long enough for a busy machine. */
const HANG_LIMIT_MS = 120_000;

/** Tries again and again until `attempt` no longer throws, also outside of tests. Throws its error after two minutes. */
export async function pollUntil(attempt: () => Promise<unknown>): Promise<void> {
  for (const deadline = performance.now() + HANG_LIMIT_MS; ; await sleep(POLL_MS)) {
    try {
      return void (await attempt());
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}
