import type { UsageReportRequest, UsageReportRow } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { SelectOption } from "#/components/ui/controls/select-props.ts";
import { toCsv } from "#/lib/csv.ts";
import { formatIsoDay, formatPercent } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";

/** A dimension by which a report is grouped. */
export type GroupKey = NonNullable<UsageReportRequest["group_by"]>[number];

/** All dimensions with their labels. */
export const GROUP_OPTIONS: readonly (SelectOption & { value: GroupKey })[] = [
  { value: "day", label: t`Day` },
  { value: "hour", label: t`Hour` },
  { value: "month", label: t`Month` },
  { value: "model", label: t`Model` },
  { value: "model_class", label: t`Model class` },
  { value: "organization", label: t`Organization` },
  { value: "backend", label: t`Backend` },
  { value: "outcome", label: t`Outcome` },
];
/** How many dimensions a report can be grouped by. */
export const MAX_GROUPS = 3;

/** First and last day in UTC, as `2026-01-31`. */
export type Period = { from: string; to: string };

/** Returns the period of the URL, by default the last seven days. Swaps the days if they are in the wrong order. */
export function readPeriod(from: string | undefined, to: string | undefined, now: Date): Period {
  const lastDay = to ?? formatIsoDay(now);
  const firstDay = from ?? formatIsoDay(new Date(Date.parse(lastDay) - 6 * DAY_MS));
  return firstDay <= lastDay ? { from: firstDay, to: lastDay } : { from: lastDay, to: firstDay };
}

/** Parses the groupings of the URL: valid names without duplicates, at most three; by day if there are none. */
export function readGroups(text: string | null): GroupKey[] {
  const knownGroups = (text ?? "")
    .split(",")
    .filter((name): name is GroupKey => GROUP_OPTIONS.some(({ value }) => value === name));
  const groups = [...new Set(knownGroups)].slice(0, MAX_GROUPS);
  return groups.length === 0 ? ["day"] : groups;
}

/** Returns the request body of a report; the last day is included. */
export function toReportBody({ from, to }: Period, groups: readonly GroupKey[]): UsageReportRequest {
  return {
    start: Date.parse(from) / 1000,
    end: (Date.parse(to) + DAY_MS) / 1000,
    group_by: [...groups],
  };
}

/** Sums of a report; `cost`, which was charged, `providerCost` and `margin` are in nano-USD. */
export type Totals = {
  requests: number;
  errors: number;
  input: number;
  output: number;
  cost: string;
  providerCost: string;
  margin: string;
  unknownCosts: number;
};

/** Sums up the rows of a report. */
export function sumTotals(rows: readonly UsageReportRow[]): Totals {
  const sum = (pick: (row: UsageReportRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const sumNano = (pick: (row: UsageReportRow) => string) =>
    String(rows.reduce((total, row) => total + BigInt(pick(row)), 0n));
  return {
    requests: sum((row) => row.request_count),
    errors: sum((row) => row.error_count),
    input: sum((row) => row.input_tokens),
    output: sum((row) => row.output_tokens),
    cost: sumNano((row) => row.cost_nano_usd),
    providerCost: sumNano((row) => row.provider_cost_nano_usd),
    margin: sumNano((row) => row.margin_nano_usd),
    unknownCosts: sum((row) => row.unknown_cost_count),
  };
}

/** Formats the share of failed requests in percent; a dash without requests. */
export function formatErrorRate({ requests, errors }: Pick<Totals, "requests" | "errors">): string {
  return requests === 0 ? "–" : formatPercent(errors / requests);
}

/** Returns one entry per day of the period, with zeros for days without requests. */
export function fillDays(
  rows: readonly UsageReportRow[],
  { from, to }: Period,
): { day: string; requests: number; errors: number }[] {
  const rowsByDay = new Map(rows.map((row) => [row.group.day?.slice(0, 10), row]));
  const days: { day: string; requests: number; errors: number }[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    const day = formatIsoDay(new Date(time));
    const row = rowsByDay.get(day);
    days.push({ day, requests: row?.request_count ?? 0, errors: row?.error_count ?? 0 });
  }
  return days;
}

const CSV_COLUMNS = [
  "request_count",
  "error_count",
  "input_tokens",
  "output_tokens",
  "cost_nano_usd",
  "provider_cost_nano_usd",
  "margin_nano_usd",
  "unknown_cost_count",
] as const;

/** Returns a report as CSV, with the groupings in the first columns. */
export function toReportCsv(groups: readonly GroupKey[], rows: readonly UsageReportRow[]): string {
  return toCsv(
    [...groups, ...CSV_COLUMNS],
    rows.map((row) => [...groups.map((group) => row.group[group]), ...CSV_COLUMNS.map((column) => row[column])]),
  );
}
