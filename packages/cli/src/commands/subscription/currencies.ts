import type { Currency } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";

/** Lists the currencies in which an organization can pay. */
export const subscriptionCurrencies: Command<undefined> = {
  name: "subscription currencies",
  summary: "List the currencies in which you can pay",
  prints: "list",
  fields: ["code", "units_per_usd", "decimals", "is_default"] as const satisfies readonly (keyof Currency)[],
  isPublic: true,
  examples: ["feather subscription currencies"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).currencies.list({ signal });
    const view = { columns: COLUMNS, id: ({ code }: Currency) => code, noun: "currencies", empty: "No currencies." };
    output.printList(view, response.items, response);
    output.hint("Choose one: feather organization set-billing --currency EUR");
  },
};

const COLUMNS: readonly Column<Currency>[] = [
  { header: "CODE", cell: ({ code }) => code, paint: (text, style) => style.bold(text) },
  { header: "FOR ONE USD", cell: ({ units_per_usd }) => units_per_usd, align: "right" },
  { header: "DEFAULT", cell: ({ is_default }) => (is_default ? "yes" : ""), dropOrder: 1 },
];
