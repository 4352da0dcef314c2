import type { Budget } from "@feather/sdk";
import { formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import { formatDay, formatRfc3339 } from "../../output/time.ts";
import { BUDGET_FIELDS, describeOwner, toOwnerId } from "./budget.ts";

/** Lists the budget of the organization and those of members that the caller may see. */
export const budgetsShow: Command<Record<never, never>> = {
  name: "budgets show",
  summary: "Show budgets, and what is spent of them",
  description: "Admins of the organization see those of all members, others their own.",
  prints: "list",
  fields: BUDGET_FIELDS,
  needs: "sign-in",
  examples: ["feather budgets show", "feather budgets show --json user_name,spent_nano_usd,amount_nano_usd"],
  options: () => ({}),
  async run({ output, client, signal }) {
    const response = await (await client()).budgets.list({ signal });
    output.printList(TABLE_VIEW, response.items, response);
  },
};

const TABLE_VIEW: TableView<Budget> = {
  columns: [
    { header: "OF", cell: describeOwner, paint: (text, style) => style.bold(text) },
    {
      header: "SPENT",
      cell: ({ spent_nano_usd }) => formatNanoUsd(spent_nano_usd),
      plain: ({ spent_nano_usd }) => spent_nano_usd,
      align: "right",
    },
    {
      header: "AMOUNT",
      cell: ({ amount_nano_usd }) => formatNanoUsd(amount_nano_usd),
      plain: ({ amount_nano_usd }) => amount_nano_usd,
      align: "right",
    },
    { header: "PERIOD", cell: ({ period }) => period },
    { header: "LIMIT", cell: ({ hard }) => (hard ? "hard" : "alerts only") },
    { header: "WARNS AT", cell: ({ warning_percent }) => `${warning_percent} %`, dropOrder: 1 },
    {
      header: "RESETS",
      cell: ({ resets_at }) => (resets_at === null ? "never" : formatDay(resets_at)),
      plain: ({ resets_at }) => (resets_at === null ? "never" : formatRfc3339(resets_at)),
      dropOrder: 2,
    },
  ],
  id: toOwnerId,
  noun: "budgets",
  empty: "No budget is set. Set one: feather budgets set 50 --period month",
};
