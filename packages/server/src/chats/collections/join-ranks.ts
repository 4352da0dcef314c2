/** Makes the first places of a list count not much more than the next ones; the usual value. */
const RANK_OFFSET = 60;

/** A key with its place in each list, from 1; null where a list does not have it. */
export type Ranked = { key: string; score: number; ranks: (number | null)[] };

/** Joins lists of keys, the best first, by reciprocal rank fusion: each place adds 1 / (60 + place). Equal scores stay in their order. */
export function joinRanks(lists: readonly (readonly string[])[]): Ranked[] {
  const joined = new Map<string, Ranked>();
  for (const [index, list] of lists.entries())
    for (const [place, key] of list.entries()) {
      const ranked = joined.get(key) ?? { key, score: 0, ranks: lists.map(() => null) };
      ranked.ranks[index] = place + 1;
      ranked.score += 1 / (RANK_OFFSET + place + 1);
      joined.set(key, ranked);
    }
  return [...joined.values()].sort((a, b) => b.score - a.score);
}
