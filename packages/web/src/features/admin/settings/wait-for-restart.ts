const INTERVAL_MS = 1_000;
const MAX_TRIES = 180;

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Asks once a second until a server has started at another time than `startedAt`. Returns whether it has within three minutes. A
 * failed request counts as not yet.
 */
export async function waitForRestart(
  startedAt: Date,
  readStart: () => Promise<Date>,
  wait: (milliseconds: number) => Promise<void> = sleep,
): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await wait(INTERVAL_MS);
    const current = await readStart().catch(() => startedAt);
    if (current.getTime() !== startedAt.getTime()) return true;
  }
  return false;
}
