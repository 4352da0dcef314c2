import type { Receipt } from "@feather/sdk";
import { formatCount, formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { optionalText, parseDuration } from "../../flags.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { formatResult, RECEIPT_FIELDS } from "../../views/receipt.ts";
import { resolveMemberId } from "../budgets/budget.ts";
import { resolveKeyId } from "../keys/resolve-key.ts";
import { describeRemoved, toQuery } from "./window.ts";

/** Which requests to list: all conditions must hold. */
type RequestConditions = {
  /** The id or name of a key; `none` for requests without one. */
  readonly key?: string;
  /** The id or e-mail of a member. */
  readonly member?: string;
  readonly model?: string;
  readonly result?: string;
  /** The id of a request, or its beginning. */
  readonly id?: string;
};
/** The window in milliseconds, conditions, and paging. */
export type UsageRequestsOptions = RequestConditions & { readonly last?: number; readonly paging: Paging };

const OUTCOMES = ["completed", "aborted", "failed", "interrupted"] as const satisfies readonly Receipt["outcome"][];

/** Lists requests to models, with their tokens, duration and cost. */
export const usageRequests: Command<UsageRequestsOptions> = {
  name: "usage requests",
  summary: "List requests, newest first",
  prints: "list",
  fields: RECEIPT_FIELDS,
  paged: true,
  needs: "sign-in",
  flags: [
    { name: "--last <time>", summary: "time up to now, such as 1h; 30 days if left out", parse: parseDuration },
    { name: "--key <key>", summary: "only with this key, by name or id; none: without a key", values: "keys" },
    { name: "--model <id>", summary: "only to this model", values: "models" },
    { name: "--member <user>", summary: "only by this member, by e-mail or id" },
    { name: "--result <result>", summary: "only with this result", choices: OUTCOMES },
    { name: "--id <id>", summary: "only the request with this id, or those whose ids begin with it" },
  ],
  examples: [
    "feather usage requests --last 1h",
    "feather usage requests --key laptop --result failed",
    "feather usage requests --json id,model,status",
  ],
  options: (_, flags) => ({
    ...optionalText("key", flags.key),
    ...optionalText("model", flags.model),
    ...optionalText("member", flags.member),
    ...optionalText("result", flags.result),
    ...optionalText("id", flags.id),
    ...(typeof flags.last === "number" && { last: flags.last }),
    paging: parsePaging(flags),
  }),
  async run(context, { last, paging, ...conditions }) {
    const { client, output, now, signal } = context;
    const { usage } = await client();
    const filter = await toFilter(context, conditions);
    const end = now();
    const start = last === undefined ? null : new Date(end.getTime() - last);
    const range = start === null ? {} : toQuery({ start, end, stepMs: 1 });
    const response = await readPages(paging, (page) =>
      usage.activity.requests({ ...range, ...filter, ...page }, { signal }),
    );
    output.printList(
      { columns: columns(end), id: ({ id }) => id, noun: "requests", empty: "Nothing was called in this time." },
      response.items,
      response,
    );
    const cost = response.totals?.total_cost_nano_usd ?? "0";
    if (cost !== "0") output.info(`They cost ${formatNanoUsd(cost)} together.`);
    const removed = start && describeRemoved(start, response.kept_since_date);
    if (removed) output.info(removed);
  },
};

/** Returns the conditions as query parameters. Looks up the ids of a key and a member that are given by name. */
async function toFilter(context: Context, { key, member, model, result, id }: RequestConditions) {
  const outcome = OUTCOMES.find((one) => one === result);
  return {
    ...(key !== undefined && { api_key_id: key === "none" ? key : await resolveKeyId(context, key) }),
    ...(member !== undefined && { user_id: await resolveMemberId(context, member) }),
    ...(model !== undefined && { model }),
    ...(outcome !== undefined && { outcome }),
    ...(id !== undefined && { id }),
  };
}

function columns(now: Date): Column<Receipt>[] {
  return [
    {
      header: "WHEN",
      cell: ({ started_at }) => formatAgo(started_at, now),
      plain: ({ started_at }) => formatRfc3339(started_at),
      dropOrder: 2,
    },
    { header: "MODEL", cell: ({ model }) => model, paint: (text, style) => style.bold(text) },
    {
      header: "RESULT",
      cell: formatResult,
      paint: (text, style, { outcome }) => (outcome === "failed" ? style.red(text) : text),
    },
    {
      header: "TOKENS",
      cell: (row) => formatCount(row.prompt_tokens + row.completion_tokens),
      plain: (row) => String(row.prompt_tokens + row.completion_tokens),
      align: "right",
      dropOrder: 3,
    },
    {
      header: "TOOK",
      cell: ({ duration_ms }) => `${(duration_ms / 1000).toFixed(1)} s`,
      plain: ({ duration_ms }) => String(duration_ms),
      align: "right",
      dropOrder: 4,
    },
    {
      header: "COST",
      cell: ({ cost_status, cost_nano_usd }) => (cost_status === "final" ? formatNanoUsd(cost_nano_usd) : ""),
      plain: ({ cost_nano_usd }) => formatNanoUsd(cost_nano_usd).replace(/[$,]/g, ""),
      align: "right",
      dropOrder: 1,
    },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
  ];
}
