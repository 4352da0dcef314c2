import type { ToolCallRecord } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";

const RESULTS = { completed: "ok", tool_error: "error of the tool", failed: "server not usable" } as const;

/** Lists calls to tools of everybody in the organization. Arguments and answers are not kept. */
export const toolsCalls: Command<{ readonly paging: Paging }> = {
  name: "tools calls",
  summary: "List calls to tools, newest first",
  prints: "list",
  fields: [
    ...(["id", "server", "tool", "user_id", "api_key_id", "outcome", "started_at", "duration_ms"] as const),
  ] satisfies readonly (keyof ToolCallRecord)[],
  paged: true,
  needs: "sign-in",
  examples: ["feather tools calls", "feather tools calls --all --csv"],
  options: (_, flags) => ({ paging: parsePaging(flags) }),
  async run({ client, output, now, signal }, { paging }) {
    const { tools } = await client();
    const response = await readPages(paging, (page) => tools.calls.list(page, { signal }));
    const columns = [
      {
        header: "WHEN",
        cell: ({ started_at }: ToolCallRecord) => formatAgo(started_at, now()),
        plain: ({ started_at }: ToolCallRecord) => formatRfc3339(started_at),
      },
      { header: "TOOL", cell: ({ server, tool }: ToolCallRecord) => `${server}__${tool}` },
      { header: "RESULT", cell: ({ outcome }: ToolCallRecord) => RESULTS[outcome] },
      {
        header: "TOOK",
        cell: ({ duration_ms }: ToolCallRecord) => `${(duration_ms / 1000).toFixed(1)} s`,
        plain: ({ duration_ms }: ToolCallRecord) => String(duration_ms),
        dropOrder: 1,
      },
    ];
    const view = { columns, id: ({ id }: ToolCallRecord) => id, noun: "calls", empty: "No tool was called yet." };
    output.printList(view, response.items, response);
  },
};
