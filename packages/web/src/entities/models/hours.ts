import type { StatusHour } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { toCsv } from "#/lib/csv.ts";
import { formatCompact, formatCount, formatPercentTick, formatPercent as inPercent } from "#/lib/format.ts";

/** Returns a rate as percentage, such as "0.8 %"; a dash where there were no requests. */
export const formatRate = (rate: number | null): string => (rate === null ? "–" : inPercent(rate));
/** Returns a duration such as "240 ms"; a dash for null. */
export const formatMilliseconds = (value: number | null): string =>
  value === null ? "–" : t`${formatCount(value)} ms`;

type FigureDefinition = Pick<ChartData, "format" | "formatTick" | "isCount"> & {
  name: string;
  value(hour: StatusHour): number | null;
  tone?: "bad";
};

/** The figures that charts show. */
export const FIGURES = {
  requests: {
    name: t`Requests`,
    value: ({ requests }) => requests || null,
    format: formatCount,
    formatTick: formatCompact,
    isCount: true,
  },
  errors: {
    name: t`Failed`,
    value: ({ error_rate }) => error_rate,
    format: (rate) => inPercent(rate),
    formatTick: formatPercentTick,
    tone: "bad",
  },
  firstToken: { name: t`First token`, value: ({ p50_ttft_ms }) => p50_ttft_ms, format: formatMilliseconds },
  speed: { name: t`Tokens per second`, value: ({ tokens_per_s }) => tokens_per_s, format: (value) => String(value) },
} as const satisfies Record<string, FigureDefinition>;

/** Returns a chart of one figure, with a bar for each hour. */
export const toHoursChart = (
  hours: readonly StatusHour[],
  { name, value, tone, ...formats }: FigureDefinition,
): ChartData => ({
  kind: "bars",
  series: [{ id: name, name, ...(tone && { tone }) }],
  more: [],
  slices: hours.map((hour) => ({ at: hour.started_at.toISOString(), values: [value(hour)], more: [] })),
  ...formats,
});

/** Returns the hours as CSV. */
export const toHoursCsv = (hours: readonly StatusHour[]): string =>
  toCsv(
    ["hour", "requests", "errors", "error_rate", "p50_ttft_ms", "tokens_per_s"],
    hours.map((hour) => [
      hour.started_at.toISOString(),
      hour.requests,
      hour.errors,
      hour.error_rate,
      hour.p50_ttft_ms,
      hour.tokens_per_s,
    ]),
  );
