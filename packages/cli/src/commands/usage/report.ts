import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { duration, isGiven } from "../../flags.ts";
import { LIVE_FIELDS, showLive } from "./live.ts";
import { type By, exactColumns, GROUPS, peopleColumns, rowsByGroup, rowsByTime, totalsOf } from "./row.ts";
import { queryOf, STEPS, windowOf, windowText } from "./window.ts";

/** The window in milliseconds, what the report is grouped by, and whether to show live units instead. */
export type UsageOptions = { readonly last: number; readonly by: By; readonly live: boolean };

const WEEK = 7 * STEPS.day;
const LONGEST_BY_HOUR = 31 * STEPS.day;
const LONGEST = 1000 * STEPS.day;
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
  about: "Days and hours are those of UTC. The peak is the most units in use at one moment.",
  prints: "list",
  fields: [...new Set([...FIELDS, ...LIVE_FIELDS])],
  needs: "sign-in",
  flags: [
    { name: "--last <time>", summary: "time up to now, such as 24h or 30d; 7d if left out", parse: duration },
    { name: "--by <what>", summary: "what a line is; days if left out", choices: Object.keys(GROUPS) },
    { name: "--live", summary: "units in use now, and the requests that hold them" },
  ],
  examples: ["feather usage --last 7d", "feather usage --last 30d --by model --csv", "feather usage --live"],
  options: (_, flags) => {
    const live = isGiven(flags, "live");
    if (live && (flags.last !== undefined || flags.by !== undefined))
      throw new UsageError(`--live and --${flags.by === undefined ? "last" : "by"} exclude each other`);
    const by = (flags.by ?? "day") as By;
    const last = typeof flags.last === "number" ? flags.last : by === "hour" ? STEPS.day : WEEK;
    const longest = by === "hour" ? LONGEST_BY_HOUR : LONGEST;
    if (last <= 0 || last > longest)
      throw new UsageError(`a report ${by === "hour" ? "by hour " : ""}is about at most ${longest / STEPS.day} days`);
    return { last, by, live };
  },
  async run(context, { last, by, live }) {
    context.output.checkFields(live ? LIVE_FIELDS : FIELDS);
    if (live) await showLive(context);
    else await showReport(context, last, by);
  },
};

async function showReport(context: Context, last: number, by: By): Promise<void> {
  const { output, now, signal } = context;
  const client = await context.client();
  const slice = by === "hour" || last < STEPS.day ? "hour" : "day";
  const window = windowOf(last, slice, now());
  const query = queryOf(window);
  const [report, units, names] = await Promise.all([
    client.usage.activity.report({ ...query, group_by: GROUPS[by] }, { signal }),
    client.usage.concurrencies({ ...query, bucket: slice }, { signal }),
    by === "key" && output.mode === "human" ? namesOfKeys(client, signal) : new Map<string, string>(),
  ]);
  const inTime = by === slice;
  const rows = inTime ? rowsByTime(by, window, report, units) : rowsByGroup(GROUPS[by], report, names);
  const people = output.mode === "human";
  const totals = totalsOf(rows, windowText(window), units);
  output.list(
    {
      columns: people ? peopleColumns(context, by, rows, units) : exactColumns(by),
      id: (row) => row.group[GROUPS[by]] ?? row.name,
      noun: "lines",
      empty: `Nothing was called in the last ${windowText(window)}.`,
    },
    people && rows.length > 0 ? [...rows, totals] : rows,
    report,
  );
}

/** Returns the names of keys by id; empty for callers who may not read keys. */
async function namesOfKeys(client: Feather, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  try {
    const { items } = await client.apiKeys.list({ perPage: 100 }, { signal, maxRetries: 0 });
    return new Map(items.map(({ id, name }) => [id, name]));
  } catch {
    return new Map();
  }
}
