/** The state of a pool from which units are to be borrowed. */
export type BorrowInput = {
  limit: number;
  /** Units that this replica has borrowed already. */
  held: number;
  /** Units that the other replicas have borrowed. */
  others: number;
  /** Units that its requests lack. */
  needed: number;
  /** Its equal part of the limit. It borrows up to that in advance. */
  share: number;
  /** Units that must be left for requests of other replicas that have waited longer. */
  reserved: number;
};

/** Returns how many units a replica borrows: the needed ones or the rest of its share, and never more than are free. */
export function computeUnitsToBorrow({ limit, held, others, needed, share, reserved }: BorrowInput): number {
  const free = Math.max(0, limit - held - others - reserved);
  return Math.min(free, Math.max(0, needed, share - held));
}

/** A request that waits for units, and its position in the order of all replicas; null before it has one. */
export type Turn = { cost: number; turn: number | null };

/** Units that another replica lacks for a request, and how many of them this replica has returned for it. */
export type Shortage = { needed: number; given: number; turn: number };

/**
 * Returns how many units to return for the shortage of another replica: the lacking number, or half of the spare units if
 * that is more, so that it need not request each unit. Spare units are those that neither running requests use nor waiting
 * requests with an earlier turn need.
 */
export function computeUnitsToReturn(unused: number, shortage: Shortage, waiting: readonly Turn[]): number {
  const lacking = shortage.needed - shortage.given;
  const spare = unused - sumCosts(waiting, (turn) => turn < shortage.turn);
  if (lacking <= 0 || spare <= 0) return 0;
  return Math.min(spare, Math.max(lacking, Math.ceil(spare / 2)));
}

/** Returns the units that other replicas lack for requests whose turn is before `turn`. Null counts as after all turns. */
export function computeReservedUnits(shortages: Iterable<Shortage>, turn: number | null): number {
  let units = 0;
  for (const shortage of shortages) if (turn === null || shortage.turn < turn) units += shortage.needed;
  return units;
}

/** Returns the sum of the units that waiting requests need, of those whose turn passes the test; all by default. */
export function sumCosts(waiting: readonly Turn[], passes: (turn: number) => boolean = () => true): number {
  return waiting.reduce((sum, { cost, turn }) => sum + (passes(turn ?? Number.POSITIVE_INFINITY) ? cost : 0), 0);
}

/** Returns each replica's equal share of a limit, rounded down; 0 if the limit is smaller than the number of replicas. */
export const computeShare = (limit: number, replicas: number): number => Math.floor(limit / replicas);
