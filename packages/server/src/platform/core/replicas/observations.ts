/** A replica whose number of renewals has not changed for this long counts as dead, in milliseconds. */
export const EXPIRY_MS = 10_000;
/** After a longer gap between two readings, it is unknown whether the replica was alive in between. */
const MAX_GAP_MS = 5_000;

/** A reading of a replica's row. */
export type Observed = { id: string; renewals: number };

/**
 * Creates the detection of dead replicas, which compares their numbers of renewals by this process's monotonic clock alone.
 * `update` takes a reading and the time of that clock at which it was complete, in milliseconds, and returns the replicas
 * whose number has not changed for `EXPIRY_MS`. After a gap between two readings, for example because the database did not
 * respond, it starts again.
 */
export function createObservations() {
  let since = new Map<string, { renewals: number; at: number }>();
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    update(others: readonly Observed[], now: number): Observed[] {
      const known = now - lastAt > MAX_GAP_MS ? new Map<string, { renewals: number; at: number }>() : since;
      lastAt = now;
      since = new Map(
        others.map(({ id, renewals }) => {
          const before = known.get(id);
          return [id, before?.renewals === renewals ? before : { renewals, at: now }];
        }),
      );
      return others.filter(({ id }) => now - (since.get(id)?.at ?? now) >= EXPIRY_MS);
    },
  };
}
