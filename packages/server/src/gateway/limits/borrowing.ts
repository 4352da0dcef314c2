/** What is known of a pool when units of it are to be borrowed. */
export type BorrowInput = {
  limit: number;
  /** Units that this replica has borrowed already. */
  held: number;
  /** Units that the other replicas have borrowed. */
  others: number;
  /** Units that its requests lack. */
  needed: number;
  /** Its equal part of the limit, up to which it borrows ahead. */
  share: number;
  /** Units to leave to requests of other replicas that have waited longer. */
  reserved: number;
};

/** Returns how many units a replica borrows: what it needs, or what it lacks of its share, and never more than is free. */
export function computeUnitsToBorrow({ limit, held, others, needed, share, reserved }: BorrowInput): number {
  const free = Math.max(0, limit - held - others - reserved);
  return Math.min(free, Math.max(0, needed, share - held));
}

/** A request that waits for units, and its place in the order of all replicas; null before it has one. */
export type Turn = { cost: number; turn: number | null };

/** Units that another replica lacks for a request, and how many of them this one has given back for it. */
export type Shortage = { needed: number; given: number; turn: number };

/**
 * Returns how many units to give back for the shortage of another replica: what it lacks, or half of what is to spare if
 * that is more, so that it need not ask for each unit. Units are to spare that neither running requests use nor waiting
 * requests with an earlier turn need.
 */
export function computeUnitsToReturn(unused: number, shortage: Shortage, waiting: readonly Turn[]): number {
  const lacking = shortage.needed - shortage.given;
  const spare = unused - sumCosts(waiting, (turn) => turn < shortage.turn);
  if (lacking <= 0 || spare <= 0) return 0;
  return Math.min(spare, Math.max(lacking, Math.ceil(spare / 2)));
}

/** Returns the units that other replicas lack for requests whose turn is before `turn`; null is after all turns. */
export function computeReservedUnits(shortages: Iterable<Shortage>, turn: number | null): number {
  let units = 0;
  for (const shortage of shortages) if (turn === null || shortage.turn < turn) units += shortage.needed;
  return units;
}

/** Returns the units that the waiting requests need whose turn passes; all of them by default. */
export function sumCosts(waiting: readonly Turn[], passes: (turn: number) => boolean = () => true): number {
  return waiting.reduce((sum, { cost, turn }) => sum + (passes(turn ?? Number.POSITIVE_INFINITY) ? cost : 0), 0);
}

/** Returns the equal part of a limit for each of so many replicas; none of a limit that is smaller than their number. */
export const computeShare = (limit: number, replicas: number): number => Math.floor(limit / replicas);
