import type { MarketplaceUsage, Query } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { formatDayTime, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { filterFlags, parseFilter } from "./filter.ts";

type Filter = Query<"admin.marketplaces.usage">;

const STATES = ["open", "due", "sent", "accepted", "refused"] as const satisfies readonly Filter["status"][];
const USAGE_FIELDS = [
  "id",
  "organization_id",
  "organization_name",
  "provider",
  "reference",
  "offer",
  "dimension",
  "hour_starts_at",
  "units",
  "unit_price_usd",
  "amount_usd",
  "status",
  "reason",
  "attempts",
  "is_test",
  "settled_at",
] as const satisfies readonly (keyof MarketplaceUsage)[];

/** Lists metered usage of all organizations by purchase and hour, newest first. */
export const marketplacesUsage: Command<Filter & { readonly paging: Paging }> = {
  name: "admin marketplaces usage",
  summary: "List metered usage, and whether marketplaces took it",
  prints: "list",
  fields: USAGE_FIELDS,
  paged: true,
  needs: "admin",
  flags: filterFlags(STATES),
  examples: ["feather admin marketplaces usage --state refused"],
  options: (_, flags) => ({ ...parseFilter(flags, STATES), paging: parsePaging(flags) }),
  async run({ client, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.marketplaces.usage({ ...query, ...page }, { signal }));
    const empty = "No metered usage fits.";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "hours", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<MarketplaceUsage>[] = [
  {
    header: "ORGANIZATION",
    cell: ({ organization_name, organization_id }) => organization_name ?? organization_id,
    paint: (text, style) => style.bold(text),
  },
  { header: "MARKETPLACE", cell: ({ provider }) => provider },
  {
    header: "HOUR",
    cell: ({ hour_starts_at }) => formatDayTime(hour_starts_at),
    plain: ({ hour_starts_at }) => formatRfc3339(hour_starts_at),
  },
  { header: "UNITS", cell: ({ units }) => String(units), align: "right", dropOrder: 2 },
  { header: "AMOUNT", cell: ({ amount_usd }) => `$${amount_usd}`, align: "right" },
  { header: "STATE", cell: ({ status }) => status },
  { header: "REASON", cell: ({ reason }) => reason ?? "", dropOrder: 3 },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
