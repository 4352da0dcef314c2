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
export type Wish = { needed: number; given: number; turn: number };

/**
 * Returns how many units to give back for the wish of another replica: at least what it lacks and at most what is left
 * over by this replica's running requests and by those of its waiting requests whose turn is earlier. Of what it does
 * not use a replica gives back half, so that the other need not ask for each unit.
 */
export function computeUnitsToReturn(unused: number, wish: Wish, waiting: readonly Turn[]): number {
  const lacking = wish.needed - wish.given;
  const spare = unused - sumCosts(waiting, (turn) => turn < wish.turn);
  if (lacking <= 0 || spare <= 0) return 0;
  return Math.min(spare, Math.max(lacking, Math.ceil(spare / 2)));
}

/** Returns the units that other replicas wish for requests whose turn is before `turn`; null is after all turns. */
export function computeReservedUnits(wishes: Iterable<Wish>, turn: number | null): number {
  let units = 0;
  for (const wish of wishes) if (turn === null || wish.turn < turn) units += wish.needed;
  return units;
}

/** Returns the units that the waiting requests need whose turn passes; all of them by default. */
export function sumCosts(waiting: readonly Turn[], passes: (turn: number) => boolean = () => true): number {
  return waiting.reduce((sum, { cost, turn }) => sum + (passes(turn ?? Number.POSITIVE_INFINITY) ? cost : 0), 0);
}

/** Returns the equal part of a limit for each of so many replicas; none of a limit that is smaller than their number. */
export const computeShare = (limit: number, replicas: number): number => Math.floor(limit / replicas);
