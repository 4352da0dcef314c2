import type { Clock } from "../shared/clock.ts";

/** How long the server reports not ready after a statement failed because of the database. */
const FAILURE_COUNTS_MS = 10_000;

/** Remembers that the database was unusable. A test query would not show it: reads still work on a full disk. */
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
