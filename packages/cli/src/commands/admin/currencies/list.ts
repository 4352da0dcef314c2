import type { AdminCurrency } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { formatDayTime, formatRfc3339 } from "../../../output/time.ts";

/** Fields that `--json` accepts. */
export const CURRENCY_FIELDS = [
  "code",
  "units_per_usd",
  "decimals",
  "is_default",
  "organization_count",
  "updated_at",
] as const satisfies readonly (keyof AdminCurrency)[];

/** Lists the currencies in which organizations can pay. */
export const currenciesList: Command<undefined> = {
  name: "admin currencies list",
  summary: "List the currencies in which organizations can pay",
  prints: "list",
  fields: CURRENCY_FIELDS,
  needs: "admin",
  examples: ["feather admin currencies list", "feather admin currencies list --json code,units_per_usd"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).admin.currencies.list({ signal });
    const view = {
      columns: COLUMNS,
      id: ({ code }: AdminCurrency) => code,
      noun: "currencies",
      empty: "No currencies.",
    };
    output.printList(view, response.items, response);
    output.hint("Switch one on: feather admin currencies set EUR 0.92");
  },
};

const COLUMNS: readonly Column<AdminCurrency>[] = [
  { header: "CODE", cell: ({ code }) => code, paint: (text, style) => style.bold(text) },
  { header: "FOR ONE USD", cell: ({ units_per_usd }) => units_per_usd, align: "right" },
  {
    header: "ORGANIZATIONS",
    cell: ({ organization_count }) => formatCount(organization_count),
    plain: ({ organization_count }) => String(organization_count),
    align: "right",
  },
  { header: "DEFAULT", cell: ({ is_default }) => (is_default ? "yes" : ""), dropOrder: 2 },
  {
    header: "SET",
    // The rate of US dollars is never set.
    cell: ({ code, updated_at }) => (code === "USD" ? "" : formatDayTime(updated_at)),
    plain: ({ updated_at }) => formatRfc3339(updated_at),
    dropOrder: 1,
  },
];
