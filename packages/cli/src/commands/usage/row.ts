import type { ActivityReport, ConcurrencyReport } from "@feather/sdk";
import { formatCompact, formatCount, formatNanoUsd } from "@feather/sdk/format";
import type { Context } from "../../context.ts";
import { drawBar } from "../../output/bar.ts";
import { drawBarbs } from "../../output/style.ts";
import type { Column } from "../../output/table.ts";
import { formatWeekday } from "../../output/time.ts";
import { type Bucket, listBuckets, type Window } from "./window.ts";

/** What `--by` accepts. */
export type GroupBy = Bucket | "model" | "key" | "result";

/** The values of `--by` as the API names them. */
export const GROUPS: Readonly<Record<GroupBy, string>> = {
  day: "day",
  hour: "hour",
  model: "model",
  key: "api_key",
  result: "outcome",
};

/** A row of the report. Units are known only when it is grouped by time. */
export type UsageRow = Omit<ActivityReport["items"][number], "group"> & {
  readonly group: Readonly<Record<string, string>>;
  /** The time or the group of the row. */
  readonly name: string;
  readonly at?: Date;
  readonly peak?: number;
  readonly rejected?: number;
  /** Shown instead of the bar. */
  readonly note?: string;
};

/** Returns the input and output tokens of a row. */
export const tokensOf = (row: UsageRow): number => row.input_tokens + row.output_tokens;

/** Returns a row for each bucket of the window, including empty ones; without units where requests were removed. */
export function toRowsByTime(
  bucket: Bucket,
  window: Window,
  { items }: ActivityReport,
  units: ConcurrencyReport,
): readonly UsageRow[] {
  const found = new Map(items.map((item) => [Date.parse(item.group[bucket] ?? ""), item]));
  const used = new Map(units.items.map((item) => [item.bucket_at.getTime(), item]));
  return listBuckets(window).map((at) => {
    const name = at.toISOString().slice(0, bucket === "day" ? 10 : 16) + (bucket === "day" ? "" : "Z");
    const peak = used.get(at.getTime());
    const sums = found.get(at.getTime()) ?? { ...EMPTY_TOTALS, group: { [bucket]: name } };
    const isRemoved = units.kept_since_date && at < units.kept_since_date;
    if (isRemoved) return { ...sums, name, at };
    return { ...sums, name, at, peak: peak?.used_max ?? 0, rejected: peak?.rejected ?? 0 };
  });
}

/** Returns a row for each group, in the server's order: largest first. */
export function toRowsByGroup(
  group: string,
  { items }: ActivityReport,
  names: ReadonlyMap<string, string>,
): readonly UsageRow[] {
  return items.map((item) => {
    const id = item.group[group] ?? "";
    return { ...item, name: names.get(id) ?? (id === "" ? "without a key" : id) };
  });
}

const EMPTY_TOTALS = { request_count: 0, error_count: 0, input_tokens: 0, output_tokens: 0, cost_nano_usd: "0" };

/** Returns the row of totals. */
export function sumRows(rows: readonly UsageRow[], name: string, units: ConcurrencyReport): UsageRow {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const rejected = units.items.reduce((total, item) => total + item.rejected, 0);
  return {
    group: {},
    name,
    request_count: sum((row) => row.request_count),
    error_count: sum((row) => row.error_count),
    input_tokens: sum((row) => row.input_tokens),
    output_tokens: sum((row) => row.output_tokens),
    cost_nano_usd: String(rows.reduce((total, row) => total + BigInt(row.cost_nano_usd), 0n)),
    peak: units.peak,
    rejected,
    note: rejected === 0 ? "" : `${formatCount(rejected)} refused at the limit`,
  };
}

const BAR_WIDTH = 20;
/** More units than this are shown as a number. */
const MAX_BARBS = 8;

/** Returns the columns for people: rounded, with bars. */
export function humanColumns(
  { io }: Context,
  by: GroupBy,
  rows: readonly UsageRow[],
  units: ConcurrencyReport,
): Column<UsageRow>[] {
  const { unicode } = io.env;
  const maxTokens = Math.max(...rows.map(tokensOf));
  const { limit } = units;
  const formatPeak = (peak: number) => {
    if (limit === null || limit > MAX_BARBS) return formatCount(peak);
    return drawBarbs(peak, limit, unicode);
  };
  return [
    { header: GROUP_HEADERS[by], cell: (row) => (row.at ? formatTime(row.at, by) : row.name) },
    { header: "REQUESTS", cell: (row) => formatCount(row.request_count), align: "right" },
    { header: "TOKENS", cell: (row) => formatCompact(tokensOf(row)), align: "right" },
    {
      header: "PEAK",
      cell: (row) => (row.peak === undefined ? "" : formatPeak(row.peak)),
      paint: (text, style) => style.accent(text),
      dropOrder: 1,
    },
    {
      header: "",
      cell: (row) => row.note ?? drawBar(tokensOf(row), maxTokens, BAR_WIDTH, unicode),
      paint: (text, style, row) => (row.note === undefined ? style.accent(text) : style.amber(text)),
      dropOrder: 2,
    },
  ];
}

const GROUP_HEADERS: Readonly<Record<GroupBy, string>> = {
  day: "",
  hour: "",
  model: "MODEL",
  key: "KEY",
  result: "RESULT",
};

function formatTime(at: Date, by: GroupBy): string {
  return by === "hour" ? `${formatWeekday(at)} ${at.toISOString().slice(11, 16)}` : formatWeekday(at);
}

/** Returns the columns for pipes and CSV: exact, without bars. */
export function exactColumns(by: GroupBy): Column<UsageRow>[] {
  const group = GROUPS[by];
  const units: Column<UsageRow>[] = [
    { header: "PEAK", cell: (row) => String(row.peak ?? "") },
    { header: "REFUSED", cell: (row) => String(row.rejected ?? "") },
  ];
  return [
    { header: group.toUpperCase(), cell: (row) => row.group[group] ?? row.name },
    { header: "REQUESTS", cell: (row) => String(row.request_count) },
    { header: "FAILED", cell: (row) => String(row.error_count) },
    { header: "INPUT TOKENS", cell: (row) => String(row.input_tokens) },
    { header: "OUTPUT TOKENS", cell: (row) => String(row.output_tokens) },
    { header: "COST USD", cell: (row) => formatNanoUsd(row.cost_nano_usd).replace(/[$,]/g, "") },
    ...(by === "day" || by === "hour" ? units : []),
  ];
}
