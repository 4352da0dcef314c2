/** Drawn at least, in nano-USD, so that not every call draws. What is left of it when the hour closes is returned. */
const LEAST_DRAW_NANO = 500_000_000n;

/** Amounts in nano-USD: what a call lacks, the price of a unit, and what is left of the limit of the month. */
export type DrawNeed = { missingNano: bigint; unitPriceNano: bigint; leftNano: bigint };

/** Returns how many whole units are drawn for a call; null where the limit does not allow what it lacks. */
export function decideDraw({ missingNano, unitPriceNano, leftNano }: DrawNeed): bigint | null {
  const needed = (missingNano + unitPriceNano - 1n) / unitPriceNano;
  const allowed = leftNano > 0n ? leftNano / unitPriceNano : 0n;
  if (needed > allowed) return null;
  const target = LEAST_DRAW_NANO / unitPriceNano;
  if (target <= needed) return needed;
  return target < allowed ? target : allowed;
}
