import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { isSet, parseDuration } from "../../flags.ts";
import { LIVE_FIELDS, printLiveUsage } from "./live.ts";
import { exactColumns, GROUPS, type GroupBy, humanColumns, sumRows, toRowsByGroup, toRowsByTime } from "./row.ts";
import { BUCKET_MS, createWindow, describeRemoved, formatWindow, toQuery } from "./window.ts";

/** The window in milliseconds, what the report is grouped by, and whether to show live units instead. */
export type UsageOptions = { readonly last: number; readonly by: GroupBy; readonly live: boolean };

const DEFAULT_WINDOW_MS = 7 * BUCKET_MS.day;
const MAX_HOURLY_WINDOW_MS = 31 * BUCKET_MS.day;
const MAX_WINDOW_MS = 1000 * BUCKET_MS.day;
const FIELDS = [
  "group",
  "name",
  "request_count",
  "error_count",
  "input_tokens",
  "output_tokens",
  "cost_nano_usd",
  "peak",
  "rejected",
] as const;

/** Reports usage, or the units in use now with `--live`. */
export const usageReport: Command<UsageOptions> = {
  name: "usage",
  summary: "See what was called, and the units in use",
  description: "Days and hours are those of UTC. The peak is the most units in use at one moment.",
  prints: "list",
  fields: [...new Set([...FIELDS, ...LIVE_FIELDS])],
  needs: "sign-in",
  flags: [
    { name: "--last <time>", summary: "time up to now, such as 24h or 30d; 7d if left out", parse: parseDuration },
    { name: "--by <what>", summary: "what a line is; days if left out", choices: Object.keys(GROUPS) },
    { name: "--live", summary: "units in use and the requests that hold them, as they change" },
  ],
  examples: ["feather usage --last 7d", "feather usage --last 30d --by model --csv", "feather usage --live"],
  options: (_, flags) => {
    const live = isSet(flags, "live");
    if (live && (flags.last !== undefined || flags.by !== undefined))
      throw new UsageError(`--live and --${flags.by === undefined ? "last" : "by"} exclude each other`);
    const by = (flags.by ?? "day") as GroupBy;
    const last = typeof flags.last === "number" ? flags.last : by === "hour" ? BUCKET_MS.day : DEFAULT_WINDOW_MS;
    const maxWindowMs = by === "hour" ? MAX_HOURLY_WINDOW_MS : MAX_WINDOW_MS;
    if (last <= 0 || last > maxWindowMs)
      throw new UsageError(
        `a report ${by === "hour" ? "by hour " : ""}is about at most ${maxWindowMs / BUCKET_MS.day} days`,
      );
    return { last, by, live };
  },
  async run(context, { last, by, live }) {
    context.output.checkFields(live ? LIVE_FIELDS : FIELDS);
    if (live) await printLiveUsage(context);
    else await printReport(context, last, by);
  },
};

async function printReport(context: Context, last: number, by: GroupBy): Promise<void> {
  const { output, now, signal } = context;
  const client = await context.client();
  const bucket = by === "hour" || last < BUCKET_MS.day ? "hour" : "day";
  const window = createWindow(last, bucket, now());
  const query = toQuery(window);
  const [report, units, names] = await Promise.all([
    client.usage.activity.report({ ...query, group_by: GROUPS[by] }, { signal }),
    client.usage.concurrencies({ ...query, bucket }, { signal }),
    by === "key" && output.mode === "human" ? loadKeyNames(client, signal) : new Map<string, string>(),
  ]);
  const isGroupedByTime = by === bucket;
  const rows = isGroupedByTime ? toRowsByTime(by, window, report, units) : toRowsByGroup(GROUPS[by], report, names);
  const isHuman = output.mode === "human";
  const totals = sumRows(rows, formatWindow(window), units);
  output.printList(
    {
      columns: isHuman ? humanColumns(context, by, rows, units) : exactColumns(by),
      id: (row) => row.group[GROUPS[by]] ?? row.name,
      noun: "lines",
      empty: `Nothing was called in the last ${formatWindow(window)}.`,
    },
    isHuman && rows.length > 0 ? [...rows, totals] : rows,
    report,
  );
  const removed = describeRemoved(window.start, report.kept_since_date);
  if (removed !== null) output.info(removed);
}

/** Returns the names of keys by id; empty for callers who may not read keys. */
async function loadKeyNames(client: Feather, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  try {
    const { items } = await client.apiKeys.list({ perPage: 100 }, { signal, maxRetries: 0 });
    return new Map(items.map(({ id, name }) => [id, name]));
  } catch {
    return new Map();
  }
}
