/** A source of random values for tests that repeats itself for the same seed. */
export type Random = ReturnType<typeof createRandom>;

/** Creates a source of random values from a seed (Mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** Returns a number from 0 to 1, without 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    /** Returns a whole number from `min` to `max`, both included. */
    integer: (min: number, max: number): number => min + Math.floor(next() * (max - min + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick<T>(values: readonly T[]): T {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error("There is nothing to pick from.");
      return value;
    },
    shuffle: <T>(values: readonly T[]): T[] =>
      values
        .map((value) => ({ value, key: next() }))
        .sort((one, other) => one.key - other.key)
        .map(({ value }) => value),
    /** Splits values: each goes to the first list with this probability, otherwise to the second. */
    split<T>(values: readonly T[], probability: number): [T[], T[]] {
      const lists: [T[], T[]] = [[], []];
      for (const value of values) lists[next() < probability ? 0 : 1].push(value);
      return lists;
    },
  };
}
