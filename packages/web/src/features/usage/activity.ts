import type { Result } from "@feather/sdk";
import { asCsv } from "#/lib/csv.ts";

export type Item = Result<"usage.activity.report">["items"][number];
/** What tokens are told apart by. */
export type Split = "api_key" | "model" | "outcome";
export const SPLITS: readonly Split[] = ["api_key", "model", "outcome"];

/** One series of the chart: its id as the report has it, or null for all that are not shown by themselves. */
export type Series = { id: string | null; total: number };
/** A slice of time with the tokens of each series, in the order of the series. */
export type Slice = { at: string; tokens: readonly number[]; requests: number; errors: number };
export type Activity = { series: readonly Series[]; slices: readonly Slice[] };

const SHOWN = 3;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Whether a period of so many days is told by the hour. */
export const byHour = (days: number): boolean => days <= 1;

const tokensOf = (item: Item) => item.input_tokens + item.output_tokens;

/** The largest three series and the rest together, over every slice of the period, also those without requests. */
export function activityOf(items: readonly Item[], split: Split, days: number, now: Date): Activity {
  const totals = new Map<string, number>();
  for (const item of items) {
    const id = item.group[split] ?? "";
    totals.set(id, (totals.get(id) ?? 0) + tokensOf(item));
  }
  const ranked = [...totals].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const shown = ranked.length > SHOWN + 1 ? ranked.slice(0, SHOWN) : ranked;
  const rest = ranked.slice(shown.length).reduce((sum, [, total]) => sum + total, 0);
  const series: Series[] = shown.map(([id, total]) => ({ id, total }));
  if (shown.length < ranked.length) series.push({ id: null, total: rest });
  const place = new Map(shown.map(([id], index) => [id, index]));
  const slices = new Map(
    slicesOf(days, now).map((at) => [at, { at, tokens: series.map(() => 0), requests: 0, errors: 0 }]),
  );
  for (const item of items) {
    const slice = slices.get(item.group[byHour(days) ? "hour" : "day"] ?? "");
    if (!slice) continue;
    const index = place.get(item.group[split] ?? "") ?? series.length - 1;
    slice.tokens[index] = (slice.tokens[index] ?? 0) + tokensOf(item);
    slice.requests += item.request_count;
    slice.errors += item.error_count;
  }
  return { series, slices: [...slices.values()] };
}

/** The slices of a period that ends now, as the report names them: days, or hours, of UTC. */
function slicesOf(days: number, now: Date): string[] {
  const length = byHour(days) ? HOUR : DAY;
  const count = byHour(days) ? 24 * days : days;
  const last = Math.floor(now.getTime() / length) * length;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(last - (count - 1 - index) * length).toISOString();
    return byHour(days) ? `${at.slice(0, 19)}Z` : at.slice(0, 10);
  });
}

/** The chart's table for spreadsheets. */
export function activityAsCsv({ series, slices }: Activity, nameOf: (id: string | null) => string): string {
  return asCsv(
    ["time", ...series.map(({ id }) => nameOf(id)), "requests", "errors"],
    slices.map(({ at, tokens, requests, errors }) => [at, ...tokens, requests, errors]),
  );
}
