import type { Receipt } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { parseDuration } from "../../flags.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { formatResult, RECEIPT_FIELDS } from "../../views/receipt.ts";
import { describeRemoved, toQuery } from "./window.ts";

/** The window in milliseconds, and paging. */
export type UsageRequestsOptions = { readonly last?: number; readonly paging: Paging };

/** Lists requests to models, with their tokens and duration. */
export const usageRequests: Command<UsageRequestsOptions> = {
  name: "usage requests",
  summary: "List requests, newest first",
  prints: "list",
  fields: RECEIPT_FIELDS,
  paged: true,
  needs: "sign-in",
  flags: [{ name: "--last <time>", summary: "time up to now, such as 1h; 30 days if left out", parse: parseDuration }],
  examples: ["feather usage requests --last 1h", "feather usage requests --json id,model,status"],
  options: (_, flags) => ({
    ...(typeof flags.last === "number" && { last: flags.last }),
    paging: parsePaging(flags),
  }),
  async run({ client, output, now, signal }, { last, paging }) {
    const { usage } = await client();
    const end = now();
    const start = last === undefined ? null : new Date(end.getTime() - last);
    const range = start === null ? {} : toQuery({ start, end, stepMs: 1 });
    const response = await readPages(paging, (page) => usage.activity.requests({ ...range, ...page }, { signal }));
    output.printList(
      { columns: columns(end), id: ({ id }) => id, noun: "requests", empty: "Nothing was called in this time." },
      response.items,
      response,
    );
    const removed = start && describeRemoved(start, response.kept_since_date);
    if (removed) output.info(removed);
  },
};

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
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
  ];
}
