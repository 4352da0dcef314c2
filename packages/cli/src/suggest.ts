/** Returns the known words closest to a mistyped one, best first; none when no word is close. */
export function findNearest(word: string, known: readonly string[], limit = 3): readonly string[] {
  const lowerCased = word.toLowerCase();
  return known
    .map((candidate) => ({ candidate, distance: editDistance(lowerCased, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) * 0.4)),
    )
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/**
 * Returns the edit distance: insertions, deletions, substitutions and swaps of adjacent letters. Commander computes the same for
 * commands and flags, but does not export it, and the small libraries count a swap, the most frequent mistake, as two.
 */
function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped =
        one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
          ? (rows[i - 2]?.[j - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      row.push(
        Math.min((rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j - 1] ?? 0) + same, swapped),
      );
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? Number.POSITIVE_INFINITY;
}
