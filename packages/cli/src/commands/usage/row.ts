import type { Result } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { bar } from "../../output/bar.ts";
import { count, nanoDollars, short } from "../../output/format.ts";
import { barbs } from "../../output/style.ts";
import type { Column } from "../../output/table.ts";
import { weekday } from "../../output/time.ts";
import { type Slice, slicesOf, type Window } from "./window.ts";

/** The usage report of the API. */
export type Report = Result<"usage.activity.report">;
/** The units in use over time, from the API. */
export type Units = Result<"usage.concurrencies">;
/** What `--by` accepts. */
export type By = Slice | "model" | "key" | "result";

/** The values of `--by` as the API names them. */
export const GROUPS: Readonly<Record<By, string>> = {
  day: "day",
  hour: "hour",
  model: "model",
  key: "api_key",
  result: "outcome",
};

/** A row of the report. Units are known only when it is grouped by time. */
export type UsageRow = Omit<Report["items"][number], "group"> & {
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

/** Returns a row for each bucket of the window, including empty ones. */
export function rowsByTime(slice: Slice, window: Window, { items }: Report, units: Units): readonly UsageRow[] {
  const found = new Map(items.map((item) => [Date.parse(item.group[slice] ?? ""), item]));
  const used = new Map(units.items.map((item) => [item.bucket_at.getTime(), item]));
  return slicesOf(window).map((at) => {
    const name = at.toISOString().slice(0, slice === "day" ? 10 : 16) + (slice === "day" ? "" : "Z");
    const peak = used.get(at.getTime());
    return {
      ...(found.get(at.getTime()) ?? { ...NOTHING, group: { [slice]: name } }),
      name,
      at,
      peak: peak?.used_max ?? 0,
      rejected: peak?.rejected ?? 0,
    };
  });
}

/** Returns a row for each group, in the server's order: largest first. */
export function rowsByGroup(group: string, { items }: Report, names: ReadonlyMap<string, string>): readonly UsageRow[] {
  return items.map((item) => {
    const id = item.group[group] ?? "";
    return { ...item, name: names.get(id) ?? (id === "" ? "without a key" : id) };
  });
}

const NOTHING = { request_count: 0, error_count: 0, input_tokens: 0, output_tokens: 0, cost_nano_usd: "0" };

/** Returns the row of totals. */
export function totalsOf(rows: readonly UsageRow[], name: string, units: Units): UsageRow {
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
    note: rejected === 0 ? "" : `${count(rejected)} refused at the limit`,
  };
}

const WIDTH = 20;
/** More units than this are shown as a number. */
const MOST_BARBS = 8;

/** Returns the columns for people: rounded, with bars. */
export function peopleColumns({ io }: Context, by: By, rows: readonly UsageRow[], units: Units): Column<UsageRow>[] {
  const { unicode } = io.env;
  const most = Math.max(...rows.map(tokensOf));
  const { limit } = units;
  const peakText = (peak: number) => {
    if (limit === null || limit > MOST_BARBS) return count(peak);
    return barbs(peak, limit, unicode);
  };
  return [
    { header: HEADS[by], cell: (row) => (row.at ? timeText(row.at, by) : row.name) },
    { header: "REQUESTS", cell: (row) => count(row.request_count), align: "right" },
    { header: "TOKENS", cell: (row) => short(tokensOf(row)), align: "right" },
    {
      header: "PEAK",
      cell: (row) => (row.peak === undefined ? "" : peakText(row.peak)),
      paint: (text, style) => style.blue(text),
      yields: 1,
    },
    {
      header: "",
      cell: (row) => row.note ?? bar(tokensOf(row), most, WIDTH, unicode),
      paint: (text, style, row) => (row.note === undefined ? style.blue(text) : style.amber(text)),
      yields: 2,
    },
  ];
}

const HEADS: Readonly<Record<By, string>> = { day: "", hour: "", model: "MODEL", key: "KEY", result: "RESULT" };

function timeText(at: Date, by: By): string {
  return by === "hour" ? `${weekday(at)} ${at.toISOString().slice(11, 16)}` : weekday(at);
}

/** Returns the columns for pipes and CSV: exact, without bars. */
export function exactColumns(by: By): Column<UsageRow>[] {
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
    { header: "COST USD", cell: (row) => nanoDollars(row.cost_nano_usd).replace(/[$,]/g, "") },
    ...(by === "day" || by === "hour" ? units : []),
  ];
}
