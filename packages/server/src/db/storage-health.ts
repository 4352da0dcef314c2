import type { Clock } from "../shared/clock.ts";

/** How long after a statement that failed for the database's sake the server counts as not ready. */
const FAILURE_COUNTS_MS = 10_000;

/** Remembers that the database could not be used: a full disk lets reads pass, so that asking it proves nothing. */
export function createStorageHealth(clock: Clock) {
  let failedAt: number | null = null;
  return {
    failed(): void {
      failedAt = clock.now().getTime();
    },
    isFailing: (): boolean => failedAt !== null && clock.now().getTime() - failedAt < FAILURE_COUNTS_MS,
  };
}

export type StorageHealth = ReturnType<typeof createStorageHealth>;
