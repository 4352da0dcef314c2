import type { ToolServerTool } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { TableView } from "../../../output/index.ts";
import {
  EVERYBODY_FLAG,
  serversOf,
  TOOL_SERVER_ARGUMENT,
  type ToolServerOptions,
  toToolServerOptions,
} from "./tool-server.ts";

/** Asks a server for its tools, and says what is wrong with it. */
export const toolServersShow: Command<ToolServerOptions> = {
  name: "tools servers show",
  summary: "Ask a server for its tools, and see which may be called",
  arguments: [TOOL_SERVER_ARGUMENT],
  flags: [EVERYBODY_FLAG],
  prints: "list",
  fields: [
    ...(["name", "title", "description", "input_schema", "is_allowed"] as const),
  ] satisfies readonly (keyof ToolServerTool)[],
  needs: "sign-in",
  examples: ["feather tools servers show docs", "feather tools servers show docs --json name,is_allowed"],
  options: toToolServerOptions,
  async run({ client, output, signal }, { name, everybody }) {
    const response = await serversOf(await client(), everybody).tools(name, { signal });
    output.printList(VIEW, response.items, response);
    for (const problem of response.problems) output.info(problem);
  },
};

const VIEW: TableView<ToolServerTool> = {
  columns: [
    { header: "TOOL", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "MAY BE CALLED", cell: ({ is_allowed }) => (is_allowed ? "yes" : "no") },
    {
      header: "DESCRIPTION",
      cell: ({ title, description }) => (description ?? title ?? "").split("\n")[0] ?? "",
      dropOrder: 1,
    },
  ],
  id: ({ name }) => name,
  noun: "tools",
  empty: "It has no tools that could be called.",
};
