import type { DeploymentMetricsBucket } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { parseDuration } from "../../flags.ts";
import type { Column } from "../../output/table.ts";
import { formatDayTime, formatRfc3339 } from "../../output/time.ts";
import { DAY_MS } from "../../time.ts";
import { DEPLOYMENT_ARGUMENT, resolveDeployment } from "./deployment.ts";

const FIELDS = [
  "bucket_at",
  "requests",
  "errors",
  "p50_ttft_ms",
  "tokens_per_s",
] as const satisfies readonly (keyof DeploymentMetricsBucket)[];

/** Shows requests and speed of a deployment over time. */
export const deploymentsMetrics: Command<{ readonly deployment: string; readonly lastMs: number }> = {
  name: "deployments metrics",
  summary: "See requests and speed of a deployment over time",
  description: "A line for each slice of time with requests. The first token is the median until the first byte.",
  arguments: [DEPLOYMENT_ARGUMENT],
  flags: [{ name: "--last <time>", summary: "time up to now, such as 2h or 7d; 1d if left out", parse: parseDuration }],
  prints: "list",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather deployments metrics support-bot", "feather deployments metrics support-bot --last 2h --json"],
  options: ([deployment = ""], flags) => {
    const lastMs = typeof flags.last === "number" ? flags.last : DAY_MS;
    if (lastMs < 1000) throw new UsageError("--last is at least 1s", "--last 2h");
    return { deployment, lastMs };
  },
  async run(context, { deployment, lastMs }) {
    const { client, now, output, signal } = context;
    const feather = await client();
    const { id, name } = await resolveDeployment(context, feather, deployment);
    const end = Math.ceil(now().getTime() / 1000);
    const query = { start: end - Math.ceil(lastMs / 1000), end };
    const response = await feather.deployments.metrics(id, query, { signal });
    const view = { columns: COLUMNS, id: toTime, noun: "slices", empty: `${name} had no requests in that time.` };
    output.printList(view, response.items, response);
  },
};

const toTime = ({ bucket_at }: DeploymentMetricsBucket): string => formatRfc3339(new Date(bucket_at));

const COLUMNS: readonly Column<DeploymentMetricsBucket>[] = [
  { header: "FROM", cell: ({ bucket_at }) => formatDayTime(new Date(bucket_at)), plain: toTime },
  {
    header: "REQUESTS",
    cell: ({ requests }) => formatCount(requests),
    plain: (row) => String(row.requests),
    align: "right",
  },
  {
    header: "ERRORS",
    cell: ({ errors }) => formatCount(errors),
    plain: (row) => String(row.errors),
    align: "right",
    paint: (text, style, { errors }) => (errors > 0 ? style.red(text) : text),
  },
  {
    header: "FIRST TOKEN",
    cell: ({ p50_ttft_ms: ms }) => (ms === null ? "" : `${formatCount(ms)} ms`),
    plain: ({ p50_ttft_ms: ms }) => String(ms ?? ""),
    align: "right",
  },
  {
    header: "TOKENS/S",
    cell: ({ tokens_per_s: rate }) => (rate === null ? "" : String(rate)),
    align: "right",
    dropOrder: 1,
  },
];
