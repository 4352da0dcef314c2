import type { WebhookEndpoint } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import { ENDPOINT_FIELDS, formatState } from "./endpoint.ts";

/** Lists the endpoints of the organization. */
export const webhooksList: Command<Record<never, never>> = {
  name: "webhooks list",
  summary: "List the endpoints that are told what happens",
  prints: "list",
  fields: ENDPOINT_FIELDS,
  needs: "sign-in",
  examples: ["feather webhooks list", "feather webhooks list --json id,url,disabled"],
  options: () => ({}),
  async run({ output, client, signal }) {
    const response = await (await client()).webhooks.list({ signal });
    const tableView: TableView<WebhookEndpoint> = {
      columns: [
        { header: "URL", cell: ({ url }) => url, paint: (text, style) => style.bold(text) },
        { header: "STATE", cell: formatState, dropOrder: 1 },
        { header: "EVENTS", cell: (endpoint) => endpoint.event_types.join(", "), dropOrder: 2 },
        { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
      ],
      id: ({ id }) => id,
      noun: "endpoints",
      empty: "There are no webhook endpoints yet. Make one: feather webhooks create <url> --events <types>",
    };
    output.printList(tableView, response.items, response);
  },
};
