import type { UsageReportRequest, UsageReportRow } from "@feather/sdk";
import { formatCompact, formatCount, formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { parseDuration, parseListOf } from "../../../flags.ts";
import { drawBar } from "../../../output/bar.ts";
import type { Column } from "../../../output/table.ts";
import { BUCKET_MS, createWindow, toQuery } from "../../usage/window.ts";

type Group = NonNullable<UsageReportRequest["group_by"]>[number];
/** The window in milliseconds, and what the report is grouped by. */
export type AdminUsageOptions = { readonly last: number; readonly by: readonly Group[] };

const GROUPS = [
  "day",
  "hour",
  "month",
  "model",
  "model_class",
  "organization",
  "backend",
  "outcome",
] as const satisfies readonly Group[];
const FIELDS = [
  "group",
  "request_count",
  "error_count",
  "input_tokens",
  "output_tokens",
  "cost_nano_usd",
  "provider_cost_nano_usd",
  "margin_nano_usd",
  "unknown_cost_count",
] as const satisfies readonly (keyof UsageReportRow)[];
const DEFAULT_WINDOW_MS = 7 * BUCKET_MS.day;
const BAR_WIDTH = 20;

/** Reports the usage of all organizations. */
export const adminUsage: Command<AdminUsageOptions> = {
  name: "admin usage",
  summary: "See what everybody called",
  description: "Days and hours are those of UTC.",
  prints: "list",
  fields: FIELDS,
  needs: "admin",
  flags: [
    { name: "--last <time>", summary: "time up to now, such as 24h or 30d; 7d if left out", parse: parseDuration },
    {
      name: "--by <names>",
      summary: `what a line is, by comma: ${GROUPS.join(", ")}; day if left out`,
      parse: parseListOf(GROUPS),
    },
  ],
  examples: ["feather admin usage --last 30d --by organization", "feather admin usage --by day,model --csv"],
  options: (_, flags) => {
    const by = Array.isArray(flags.by) ? (flags.by as Group[]) : ["day" as const];
    if (new Set(by).size < by.length) throw new UsageError("--by names the same twice");
    const last = typeof flags.last === "number" ? flags.last : DEFAULT_WINDOW_MS;
    if (last <= 0) throw new UsageError("--last takes a time, such as 7d");
    return { last, by };
  },
  async run({ client, io, now, output, signal }, { last, by }) {
    const bucket = by.includes("hour") || last < BUCKET_MS.day ? "hour" : "day";
    const body = { ...toQuery(createWindow(last, bucket, now())), group_by: [...by] };
    const response = await (await client()).admin.usage(body, { signal });
    const isHuman = output.mode === "human";
    const tableView = {
      columns: [...groupColumns(by), ...(isHuman ? humanColumns(response.items, io.env.unicode) : EXACT_COLUMNS)],
      id: ({ group }: UsageReportRow) => by.map((name) => group[name] ?? "").join(" "),
      noun: "lines",
      empty: "Nothing was called in this time.",
    };
    output.printList(tableView, response.items, response);
  },
};

const groupColumns = (by: readonly Group[]): Column<UsageReportRow>[] =>
  by.map((name) => ({ header: name.replace("_", " ").toUpperCase(), cell: ({ group }) => group[name] ?? "" }));

const tokensOf = (row: UsageReportRow): number => row.input_tokens + row.output_tokens;

function humanColumns(rows: readonly UsageReportRow[], unicode: boolean): Column<UsageReportRow>[] {
  const maxTokens = Math.max(...rows.map(tokensOf));
  return [
    { header: "REQUESTS", cell: (row) => formatCount(row.request_count), align: "right" },
    { header: "FAILED", cell: (row) => formatCount(row.error_count), align: "right", dropOrder: 2 },
    { header: "TOKENS", cell: (row) => formatCompact(tokensOf(row)), align: "right" },
    { header: "COST", cell: (row) => formatNanoUsd(row.cost_nano_usd), align: "right", dropOrder: 1 },
    ...(rows.some(hasProviderCost) ? MARGIN_COLUMNS : []),
    {
      header: "",
      cell: (row) => drawBar(tokensOf(row), maxTokens, BAR_WIDTH, unicode),
      paint: (text, style) => style.accent(text),
      dropOrder: 3,
    },
  ];
}

const hasProviderCost = (row: UsageReportRow): boolean =>
  row.provider_cost_nano_usd !== "0" || row.unknown_cost_count > 0;

const MARGIN_COLUMNS: readonly Column<UsageReportRow>[] = [
  {
    header: "PROVIDERS",
    cell: (row) => `${formatNanoUsd(row.provider_cost_nano_usd)}${row.unknown_cost_count > 0 ? " + unknown" : ""}`,
    align: "right",
    dropOrder: 1,
  },
  { header: "MARGIN", cell: (row) => formatNanoUsd(row.margin_nano_usd), align: "right", dropOrder: 1 },
];

const toPlainUsd = (nano: string): string => formatNanoUsd(nano).replace(/[$,]/g, "");

const EXACT_COLUMNS: readonly Column<UsageReportRow>[] = [
  { header: "REQUESTS", cell: (row) => String(row.request_count) },
  { header: "FAILED", cell: (row) => String(row.error_count) },
  { header: "INPUT TOKENS", cell: (row) => String(row.input_tokens) },
  { header: "OUTPUT TOKENS", cell: (row) => String(row.output_tokens) },
  { header: "COST USD", cell: (row) => toPlainUsd(row.cost_nano_usd) },
  { header: "PROVIDER COST USD", cell: (row) => toPlainUsd(row.provider_cost_nano_usd) },
  { header: "MARGIN USD", cell: (row) => toPlainUsd(row.margin_nano_usd) },
  { header: "UNKNOWN COSTS", cell: (row) => String(row.unknown_cost_count) },
];
