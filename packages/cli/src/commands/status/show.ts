import type { ErrorRate, Incident } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";

const RATE_FIELDS = [
  "model_class",
  "model_id",
  "requests",
  "errors",
  "error_rate",
  "p50_ttft_ms",
  "p95_ttft_ms",
  "tokens_per_s",
  "state",
] as const satisfies readonly (keyof ErrorRate)[];

/** Shows the status of the platform. The exit code is 0 also when the platform has problems. */
export const statusShow: Command<undefined> = {
  name: "status",
  summary: "See whether the platform works",
  description: "What is wrong with the platform is told; the exit code is 0 as long as it answers.",
  prints: "list",
  fields: RATE_FIELDS,
  isPublic: true,
  examples: ["feather status", "feather status --jq '.incidents[] | select(.state != \"resolved\") | .title'"],
  options: () => undefined,
  async run({ client, output, now, signal }) {
    const feather = await client();
    const [stats, rates, incidents] = await Promise.all([
      feather.models.stats({ signal }),
      feather.status.errorRates({}, { signal }),
      feather.status.incidents({ signal }),
    ]);
    const openIncidents = incidents.items.filter(({ state }) => state !== "resolved");
    const state = findOverallState(rates.items, openIncidents);
    if (output.mode === "human" || output.mode === "agent") {
      output.info(`${STATE_MESSAGES[state]} ${formatWarmCount(stats.warm_count, stats.model_count)}`);
      for (const { title, state, started_at } of openIncidents)
        output.info(`  ${state}: ${title}, ${formatAgo(started_at, now())}`);
    }
    const response = {
      state,
      warm_models: stats.warm_count,
      models: stats.model_count,
      window_s: rates.window_s,
      error_rates: rates.items,
      incidents: incidents.items,
    };
    const windowMinutes = Math.round(rates.window_s / 60);
    output.printList(
      {
        columns: COLUMNS,
        id: ({ model_class }) => model_class,
        noun: "classes",
        empty: `Nothing was called in the last ${formatCount(windowMinutes)} minutes.`,
      },
      rates.items,
      response,
    );
    if (rates.items.length > 0)
      output.hint(
        `\nOf the last ${formatCount(windowMinutes)} minutes, at ${formatRfc3339(rates.updated_at).slice(11, 16)} UTC.`,
      );
  },
};

/** Returns the worst state of all classes and incidents. */
function findOverallState(rates: readonly ErrorRate[], openIncidents: readonly Incident[]): ErrorRate["state"] {
  if (rates.length > 0 && rates.every(({ state }) => state === "down")) return "down";
  return openIncidents.length > 0 || rates.some(({ state }) => state !== "operational") ? "degraded" : "operational";
}

const STATE_MESSAGES = {
  operational: "Everything works.",
  degraded: "Some of it does not work well.",
  down: "Nothing works.",
};

const formatWarmCount = (ready: number, all: number): string =>
  `${formatCount(ready)} of ${formatCount(all)} models are warm.`;

const formatErrorRate = (rate: number): string => `${Number((rate * 100).toFixed(rate > 0 && rate < 0.001 ? 2 : 1))} %`;

const COLUMNS: readonly Column<ErrorRate>[] = [
  { header: "CLASS", cell: ({ model_class }) => model_class, paint: (text, style) => style.bold(text) },
  {
    header: "STATE",
    cell: ({ state }) => state,
    paint: (text, style, { state }) =>
      style[({ operational: "green", degraded: "amber", down: "red" } as const)[state]](text),
  },
  {
    header: "REQUESTS",
    cell: ({ requests }) => formatCount(requests),
    plain: ({ requests }) => String(requests),
    align: "right",
    dropOrder: 2,
  },
  {
    header: "ERRORS",
    cell: ({ error_rate }) => formatErrorRate(error_rate),
    plain: ({ error_rate }) => String(error_rate),
    align: "right",
  },
  {
    header: "FIRST TOKEN",
    cell: ({ p50_ttft_ms }) => (p50_ttft_ms === null ? "" : `${formatCount(Math.round(p50_ttft_ms))} ms`),
    plain: ({ p50_ttft_ms }) => String(p50_ttft_ms ?? ""),
    align: "right",
    dropOrder: 1,
  },
  {
    header: "TOKENS/S",
    cell: ({ tokens_per_s }) => (tokens_per_s === null ? "" : formatCount(Math.round(tokens_per_s))),
    plain: ({ tokens_per_s }) => String(tokens_per_s ?? ""),
    align: "right",
    dropOrder: 3,
  },
];
