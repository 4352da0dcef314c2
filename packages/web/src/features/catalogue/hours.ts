import type { Result } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import type { Bar } from "#/components/ui/hour-bars.tsx";
import { asCsv } from "#/lib/csv.ts";
import { count, percent as inPercent } from "#/lib/format.ts";

/** Figures of one hour. */
export type Hour = Result<"status.history">["items"][number];

const time = (date: Date): string => `${date.toISOString().slice(11, 16)} UTC`;

/** Returns a rate as percentage, such as "0.8 %"; a dash where there were no requests. */
export const percent = (rate: number | null): string => (rate === null ? "–" : inPercent(rate));
/** Returns a duration such as "240 ms"; a dash for null. */
export const milliseconds = (value: number | null): string => (value === null ? "–" : t`${count(value)} ms`);

type Figure = { value(hour: Hour): number | null; words(hour: Hour): string };

/** The figures that charts show, each with its value and label. */
export const FIGURES = {
  requests: {
    value: ({ requests }) => requests || null,
    words: ({ requests }) => plural(requests, { one: "# request", other: "# requests" }),
  },
  errors: {
    value: ({ error_rate }) => error_rate,
    words: ({ error_rate, errors }) => t`${percent(error_rate)} failed (${errors})`,
  },
  firstToken: { value: ({ p50_ttft_ms }) => p50_ttft_ms, words: ({ p50_ttft_ms }) => milliseconds(p50_ttft_ms) },
  speed: {
    value: ({ tokens_per_s }) => tokens_per_s,
    words: ({ tokens_per_s }) => (tokens_per_s === null ? "–" : t`${tokens_per_s} tokens/s`),
  },
} as const satisfies Record<string, Figure>;

/** Returns the bars of one figure, an hour each. */
export const barsOf = (hours: readonly Hour[], { value, words }: Figure): Bar[] =>
  hours.map((hour) => ({
    at: hour.started_at,
    value: value(hour),
    words: `${time(hour.started_at)}: ${hour.requests === 0 ? t`no requests` : words(hour)}`,
  }));

/** Returns the hours as CSV. */
export const hoursCsv = (hours: readonly Hour[]): string =>
  asCsv(
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
