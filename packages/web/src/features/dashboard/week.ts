import type { ActivityReport, ActivityReportRow } from "@feather/sdk";
import { queries } from "#/lib/queries.ts";

const DAY_S = 86_400;
const DAYS = 7;

/** What was called, read and written in tokens, and spent on a UTC day such as `2026-11-21`. */
export type Day = { day: string; requests: number; errors: number; tokens: number; costNanoUsd: number };
/** Sums over several days. */
export type Sums = Omit<Day, "day">;
/** The last seven UTC days with today, what they sum up to, and the sums of the seven days before. */
export type Week = { days: readonly Day[]; total: Sums; before: Sums };

/** The activity of the last fourteen UTC days with today. Asked for again when the day has changed. */
export const fortnightQuery = (now: Date) => {
  const today = Math.floor(now.getTime() / 1000 / DAY_S) * DAY_S;
  return queries.usage.activity.report.queryOptions({ start: today - (2 * DAYS - 1) * DAY_S, group_by: "day" });
};

/** Returns the week that ends today, from a report by day. */
export function toWeek({ items }: Pick<ActivityReport, "items">, now: Date): Week {
  const rows = new Map(items.map((item) => [item.group.day, item]));
  const fortnight = Array.from({ length: 2 * DAYS }, (_, index) => {
    const day = new Date(now.getTime() - (2 * DAYS - 1 - index) * DAY_S * 1000).toISOString().slice(0, 10);
    return toDay(day, rows.get(day));
  });
  const days = fortnight.slice(DAYS);
  return { days, total: sumUp(days), before: sumUp(fortnight.slice(0, DAYS)) };
}

const toDay = (day: string, row: ActivityReportRow | undefined): Day => ({
  day,
  requests: row?.request_count ?? 0,
  errors: row?.error_count ?? 0,
  tokens: (row?.input_tokens ?? 0) + (row?.output_tokens ?? 0),
  costNanoUsd: Number(row?.cost_nano_usd ?? 0),
});

const sumUp = (days: readonly Day[]): Sums =>
  days.reduce(
    (sum, { requests, errors, tokens, costNanoUsd }) => ({
      requests: sum.requests + requests,
      errors: sum.errors + errors,
      tokens: sum.tokens + tokens,
      costNanoUsd: sum.costNanoUsd + costNanoUsd,
    }),
    { requests: 0, errors: 0, tokens: 0, costNanoUsd: 0 },
  );
