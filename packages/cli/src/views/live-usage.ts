import type { Concurrency } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import { drawBarbs } from "../output/style.ts";
import type { Column } from "../output/table.ts";
import { formatDuration, formatRfc3339 } from "../output/time.ts";

type RunningRequest = Concurrency["requests"][number];

/** Most units that are drawn one by one. */
const MAX_BARBS = 8;

/** Returns the units in use: `▰▰▱▱ 2 of 4 units in use`. */
export function formatUnits({ limit, used_cost: used }: Concurrency, unicode: boolean): string {
  const barbsPrefix = limit !== null && limit <= MAX_BARBS ? `${drawBarbs(used, limit, unicode)} ` : "";
  return `${barbsPrefix}${countUnits(limit, used)}`;
}

/** Returns the number of units in use: `2 of 4 units in use`. */
export function countUnits(limit: number | null, used: number): string {
  return `${formatCount(used)}${limit === null ? "" : ` of ${formatCount(limit)}`} units in use`;
}

/** The columns of the running requests. */
export const LIVE_COLUMNS: readonly Column<RunningRequest>[] = [
  { header: "MODEL", cell: ({ model }) => model, paint: (text, style) => style.bold(text) },
  { header: "UNITS", cell: ({ cost }) => String(cost), align: "right" },
  {
    header: "FOR",
    cell: ({ duration_ms }) => formatDuration(duration_ms),
    plain: ({ started_at }) => formatRfc3339(started_at),
    align: "right",
  },
  {
    header: "TOKENS",
    cell: ({ tokens_per_second: rate }) => formatTokenRate(rate),
    plain: ({ tokens_per_second: rate }) => (rate === null ? "" : String(rate)),
    align: "right",
    dropOrder: 2,
  },
  { header: "REQUEST", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];

/** Returns tokens in a second: `62/s`, `4.1/s`; empty where they are not known, as from servers that do not measure them. */
export function formatTokenRate(rate: number | null | undefined): string {
  if (rate === null || rate === undefined) return "";
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`;
}
