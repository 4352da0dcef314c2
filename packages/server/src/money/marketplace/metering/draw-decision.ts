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

/** What was drawn in an hour: whole units at a price in nano-USD. */
export type DrawnHour = { units: number; unit_price_nano_usd: string };

/** Returns how many whole units of an hour nobody used: those that the credits which are available would pay for. */
export function countUnused({ units, unit_price_nano_usd }: DrawnHour, availableNano: bigint): bigint {
  const unused = availableNano > 0n ? availableNano / BigInt(unit_price_nano_usd) : 0n;
  return unused < BigInt(units) ? unused : BigInt(units);
}

/** Returns what of hours that are open nobody used until now, in nano-USD. They are closed in this order. */
export function sumUnused(hours: readonly DrawnHour[], availableNano: bigint): bigint {
  let left = availableNano;
  for (const hour of hours) left -= countUnused(hour, left) * BigInt(hour.unit_price_nano_usd);
  return availableNano - left;
}
