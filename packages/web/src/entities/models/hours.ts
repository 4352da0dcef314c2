import type { Result } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import type { HourlyBar } from "#/components/ui/hourly-bar-chart.tsx";
import { toCsv } from "#/lib/csv.ts";
import { formatCount, formatPercent as inPercent } from "#/lib/format.ts";

/** Figures of one hour. */
export type Hour = Result<"status.history">["items"][number];

const formatTime = (date: Date): string => `${date.toISOString().slice(11, 16)} UTC`;

/** Returns a rate as percentage, such as "0.8 %"; a dash where there were no requests. */
export const formatRate = (rate: number | null): string => (rate === null ? "–" : inPercent(rate));
/** Returns a duration such as "240 ms"; a dash for null. */
export const formatMilliseconds = (value: number | null): string =>
  value === null ? "–" : t`${formatCount(value)} ms`;

type FigureDefinition = { value(hour: Hour): number | null; format(hour: Hour): string };

/** The figures that charts show, each with its value and label. */
export const FIGURES = {
  requests: {
    value: ({ requests }) => requests || null,
    format: ({ requests }) => plural(requests, { one: "# request", other: "# requests" }),
  },
  errors: {
    value: ({ error_rate }) => error_rate,
    format: ({ error_rate, errors }) => t`${formatRate(error_rate)} failed (${errors})`,
  },
  firstToken: { value: ({ p50_ttft_ms }) => p50_ttft_ms, format: ({ p50_ttft_ms }) => formatMilliseconds(p50_ttft_ms) },
  speed: {
    value: ({ tokens_per_s }) => tokens_per_s,
    format: ({ tokens_per_s }) => (tokens_per_s === null ? "–" : t`${tokens_per_s} tokens/s`),
  },
} as const satisfies Record<string, FigureDefinition>;

/** Returns the bars of one figure, an hour each. */
export const toBars = (hours: readonly Hour[], { value, format }: FigureDefinition): HourlyBar[] =>
  hours.map((hour) => ({
    at: hour.started_at,
    value: value(hour),
    tooltip: `${formatTime(hour.started_at)}: ${hour.requests === 0 ? t`no requests` : format(hour)}`,
  }));

/** Returns the hours as CSV. */
export const toHoursCsv = (hours: readonly Hour[]): string =>
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
