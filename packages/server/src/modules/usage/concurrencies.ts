import type { Period } from "./period.ts";

/** A request that held units from `start` to `end`. */
export type Held = { start: Date; end: Date; units: number };
export type Slice = { at: Date; usedMax: number; usedAvg: number };

/**
 * Units in use in each slice of a period: the most at any moment, and the average over the slice, weighted by time.
 * A request that starts at the very moment another one ends does not overlap it.
 */
export function unitsOverTime(held: readonly Held[], { start, end }: Period, sliceMs: number): Slice[] {
  const from = Math.floor(start.getTime() / sliceMs) * sliceMs;
  const count = Math.max(0, Math.ceil((end.getTime() - from) / sliceMs));
  const slices = Array.from({ length: count }, (_, index) => ({ at: from + index * sliceMs, max: 0, area: 0 }));
  const changes = held
    .flatMap(({ start: begun, end: over, units }) => [
      { at: begun.getTime(), by: units },
      { at: Math.max(over.getTime(), begun.getTime()), by: -units },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  let used = 0;
  let since = Number.NEGATIVE_INFINITY;
  for (const { at, by } of changes) {
    spread(slices, from, sliceMs, since, at, used);
    used += by;
    since = at;
  }
  return slices.map(({ at, max, area }) => ({ at: new Date(at), usedMax: max, usedAvg: area / sliceMs }));
}

type Sum = { at: number; max: number; area: number };

/** Adds a stretch of constant use to the slices it touches. */
function spread(slices: Sum[], from: number, sliceMs: number, start: number, end: number, used: number): void {
  if (used === 0 || end <= start) return;
  const first = Math.max(0, Math.floor((start - from) / sliceMs));
  for (let index = first; index < slices.length; index++) {
    const slice = slices[index];
    if (!slice || slice.at >= end) return;
    const overlap = Math.min(end, slice.at + sliceMs) - Math.max(start, slice.at);
    if (overlap <= 0) continue;
    slice.max = Math.max(slice.max, used);
    slice.area += used * overlap;
  }
}
