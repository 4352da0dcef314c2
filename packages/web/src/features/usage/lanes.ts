/** A request with the time in which it held its units. */
export type HeldUnits = { id: string; start: number; end: number; units: number };
/** The time in which a request held one unit. */
export type LaneBar = { id: string; lane: number; start: number; end: number };

/** Assigns requests to lanes, one for each unit: the lowest lanes that are free when a request begins. */
export function assignLanes(requests: readonly HeldUnits[]): LaneBar[] {
  const freeAt: number[] = [];
  const bars: LaneBar[] = [];
  for (const { id, start, end, units } of [...requests].sort((a, b) => a.start - b.start)) {
    for (let unit = 0; unit < units; unit++) {
      const freeLane = freeAt.findIndex((until) => until <= start);
      const lane = freeLane === -1 ? freeAt.length : freeLane;
      freeAt[lane] = end;
      bars.push({ id, lane, start, end });
    }
  }
  return bars;
}
