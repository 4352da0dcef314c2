/** A request that held units for a while. */
export type Held = { id: string; start: number; end: number; units: number };
/** A stretch of one unit taken by a request. */
export type Bar = { id: string; lane: number; start: number; end: number };

/** Lays requests out on lanes, one per unit, each on the lowest lanes that are free when it begins. */
export function layOut(requests: readonly Held[]): Bar[] {
  const freeAt: number[] = [];
  const bars: Bar[] = [];
  for (const { id, start, end, units } of [...requests].sort((a, b) => a.start - b.start)) {
    for (let unit = 0; unit < units; unit++) {
      const free = freeAt.findIndex((until) => until <= start);
      const lane = free === -1 ? freeAt.length : free;
      freeAt[lane] = end;
      bars.push({ id, lane, start, end });
    }
  }
  return bars;
}
