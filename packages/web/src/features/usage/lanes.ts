/** A request with the time in which it held its units. */
export type Held = { id: string; start: number; end: number; units: number };
/** The time in which a request held one unit. */
export type Bar = { id: string; lane: number; start: number; end: number };

/** Assigns requests to lanes, one for each unit: the lowest lanes that are free when a request begins. */
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
