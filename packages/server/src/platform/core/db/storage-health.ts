import type { Clock } from "../clock.ts";

/** How long the server reports not ready after a statement failed because of the database. */
const UNREADY_AFTER_FAILURE_MS = 10_000;

/**
 * Creates the record of failures of the database. A test query would not reveal them, since reads still work on a full
 * disk.
 */
export function createStorageHealth(clock: Clock) {
  let failedAt: number | null = null;
  return {
    recordFailure(): void {
      failedAt = clock.now().getTime();
    },
    isFailing: (): boolean => failedAt !== null && clock.now().getTime() - failedAt < UNREADY_AFTER_FAILURE_MS,
  };
}

export type StorageHealth = ReturnType<typeof createStorageHealth>;
