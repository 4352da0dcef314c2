import type { Tool } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";

/** Lists the tools that may be called, and says of servers that cannot be used why. */
export const toolsList: Command<undefined> = {
  name: "tools list",
  summary: "List the tools that you can call",
  prints: "list",
  fields: [
    "name",
    "server",
    "title",
    "description",
    "input_schema",
    "output_schema",
    "annotations",
    "fingerprint",
  ] as const satisfies readonly (keyof Tool)[],
  needs: "sign-in",
  examples: ["feather tools list", "feather tools list --json name,input_schema"],
  options: () => undefined,
  async run({ output, client, signal }) {
    const response = await (await client()).tools.list({ signal });
    output.printList(VIEW, response.items, response);
    for (const { server, message } of response.problems) output.info(`${server}: ${message}`);
  },
};

const VIEW: TableView<Tool> = {
  columns: [
    { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "TITLE", cell: ({ title }) => title ?? "", dropOrder: 1 },
    { header: "DESCRIPTION", cell: ({ description }) => (description ?? "").split("\n")[0] ?? "", dropOrder: 2 },
  ],
  id: ({ name }) => name,
  noun: "tools",
  empty: "There are no tools. An admin registers a server: feather tools servers add <name> <url>",
};
