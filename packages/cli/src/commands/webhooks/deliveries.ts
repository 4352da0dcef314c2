import type { WebhookDelivery } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { DELIVERY_FIELDS, ENDPOINT_ARGUMENT, resolveEndpointId } from "./endpoint.ts";

const STATUSES = ["pending", "delivered", "failed"] as const satisfies readonly WebhookDelivery["status"][];

type DeliveriesOptions = { readonly id: string; readonly paging: Paging; readonly status?: (typeof STATUSES)[number] };

/** Lists what was sent to an endpoint in the last 30 days. */
export const webhooksDeliveries: Command<DeliveriesOptions> = {
  name: "webhooks deliveries",
  summary: "List what was sent to a webhook endpoint",
  arguments: [ENDPOINT_ARGUMENT],
  flags: [{ name: "--status <status>", summary: "only those with this status", choices: STATUSES }],
  prints: "list",
  fields: DELIVERY_FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather webhooks deliveries whk_4fJqM1t9 --status failed"],
  options: ([id = ""], flags) => {
    const status = STATUSES.find((one) => one === flags.status);
    return { id, paging: parsePaging(flags), ...(status && { status }) };
  },
  async run(context, { id: given, paging, status }) {
    const { output, client, now, signal } = context;
    const feather = await client();
    const id = await resolveEndpointId(context, feather, given);
    const { deliveries } = feather.webhooks;
    const response = await readPages(paging, (page) =>
      deliveries.list(id, { ...page, ...(status && { status }) }, { signal }),
    );
    const tableView: TableView<WebhookDelivery> = {
      columns: columns(now()),
      id: (delivery) => delivery.id,
      noun: "deliveries",
      empty: `Nothing was sent to it in the last 30 days. To try it: feather webhooks test ${id}`,
    };
    output.printList(tableView, response.items, response);
  },
};

function columns(now: Date): Column<WebhookDelivery>[] {
  return [
    { header: "EVENT", cell: (delivery) => delivery.event_type, paint: (text, style) => style.bold(text) },
    { header: "STATUS", cell: (delivery) => delivery.status },
    { header: "ATTEMPTS", cell: (delivery) => String(delivery.attempts), dropOrder: 3 },
    {
      header: "CREATED",
      cell: (delivery) => formatAgo(delivery.created_at, now),
      plain: (delivery) => formatRfc3339(delivery.created_at),
      dropOrder: 2,
    },
    { header: "ERROR", cell: (delivery) => delivery.error ?? "", dropOrder: 1 },
    { header: "ID", cell: (delivery) => delivery.id, paint: (text, style) => style.dim(text) },
  ];
}
