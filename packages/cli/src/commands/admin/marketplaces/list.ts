import type { MarketplacePurchase, Query } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { formatDay, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { filterFlags, parseFilter } from "./filter.ts";
import { PURCHASE_FIELDS } from "./purchase.ts";

type Filter = Query<"admin.marketplaces.list">;

const STATES = ["pending", "active", "suspended", "canceled"] as const satisfies readonly Filter["status"][];

/** Lists the purchases of all organizations at cloud marketplaces, newest first. */
export const marketplacesList: Command<Filter & { readonly paging: Paging }> = {
  name: "admin marketplaces list",
  summary: "List purchases at cloud marketplaces",
  prints: "list",
  fields: PURCHASE_FIELDS,
  paged: true,
  needs: "admin",
  flags: filterFlags(STATES),
  examples: ["feather admin marketplaces list --state pending", "feather admin marketplaces list --marketplace aws -q"],
  options: (_, flags) => ({ ...parseFilter(flags, STATES), paging: parsePaging(flags) }),
  async run({ client, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.marketplaces.list({ ...query, ...page }, { signal }));
    const empty = "No purchase fits.";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "purchases", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<MarketplacePurchase>[] = [
  {
    header: "ORGANIZATION",
    cell: ({ organization_name }) => organization_name,
    paint: (text, style) => style.bold(text),
  },
  { header: "MARKETPLACE", cell: ({ provider }) => provider },
  { header: "CUSTOMER", cell: ({ customer_id }) => customer_id, dropOrder: 3 },
  { header: "PLAN", cell: ({ plan_id }) => plan_id ?? "" },
  { header: "STATE", cell: ({ status }) => status },
  { header: "NOTE", cell: ({ note }) => note ?? "", dropOrder: 4 },
  {
    header: "DATE",
    cell: ({ created_at }) => formatDay(created_at),
    plain: ({ created_at }) => formatRfc3339(created_at),
    dropOrder: 2,
  },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
