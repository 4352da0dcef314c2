/** A replica whose number has not changed for this long is taken for dead, in milliseconds. */
export const EXPIRY_MS = 10_000;
/** Two readings with a longer gap do not show whether the replica was alive between them. */
const MAX_GAP_MS = 5_000;

/** A reading of a replica's row. */
export type Observed = { id: string; renewals: number };

/**
 * Watches how the other replicas count up their renewals, by this process's monotonic clock alone. `update` takes a
 * reading and the milliseconds of that clock at which it was complete, and returns the replicas that have not counted for
 * `EXPIRY_MS`. After a gap between two readings, such as while the database stood still, it begins again.
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
