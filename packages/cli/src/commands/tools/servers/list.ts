import type { ToolServer } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { TableView } from "../../../output/index.ts";
import { EVERYBODY_FLAG, serversOf, TOOL_SERVER_FIELDS } from "./tool-server.ts";

/** Lists the registered servers of tools. */
export const toolServersList: Command<{ readonly everybody: boolean }> = {
  name: "tools servers list",
  summary: "List the organization's servers of tools",
  flags: [EVERYBODY_FLAG],
  prints: "list",
  fields: TOOL_SERVER_FIELDS,
  needs: "sign-in",
  examples: ["feather tools servers list", "feather tools servers list --everybody --json name,url"],
  options: (_, flags) => ({ everybody: flags.everybody === true }),
  async run({ client, output, signal }, { everybody }) {
    const response = await serversOf(await client(), everybody).list({ signal });
    output.printList(VIEW, response.items, response);
  },
};

const VIEW: TableView<ToolServer> = {
  columns: [
    { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "ADDRESS", cell: ({ url }) => url, dropOrder: 2 },
    {
      header: "SECRET",
      cell: ({ header_name, is_secret_set }) => (header_name === null ? "none" : is_secret_set ? "set" : "missing"),
      dropOrder: 3,
    },
    { header: "TOOLS", cell: ({ allowed_tools }) => allowed_tools?.join(", ") ?? "all", dropOrder: 1 },
    { header: "STATE", cell: ({ is_enabled }) => (is_enabled ? "on" : "off") },
  ],
  id: ({ name }) => name,
  noun: "servers of tools",
  empty: "There are no servers of tools yet. Register one: feather tools servers add <name> <url>",
};
