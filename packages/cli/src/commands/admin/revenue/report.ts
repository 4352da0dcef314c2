import type { RevenueMonth } from "@feather/sdk";
import { formatCents, formatCount, formatMoney } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { parseNumberBetween } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";

const MAX_MONTHS = 36;
const DEFAULT_MONTHS = 12;
const FIELDS = [
  "month",
  "plan_usd_cents",
  "credits_usd_cents",
  "metered_usd_cents",
  "tax_usd_cents",
  "refunded_usd_cents",
  "disputed_usd_cents",
  "uncollectible_usd_cents",
  "paid_invoice_count",
  "failed_payment_count",
  "failed_payment_usd_cents",
  "started_count",
  "ended_count",
  "churn_percent",
  "by_currency",
] as const satisfies readonly (keyof RevenueMonth)[];

/** Reports what plans and credits brought in, by month. */
export const adminRevenue: Command<{ readonly months: number }> = {
  name: "admin revenue",
  summary: "See what plans and credits bring in, by month",
  description: "Amounts are without tax, and METERED is what marketplaces bill. Months are those of UTC.",
  prints: "list",
  fields: FIELDS,
  needs: "admin",
  flags: [
    {
      name: "--months <number>",
      summary: `months, with the current one; ${DEFAULT_MONTHS} if left out`,
      parse: parseNumberBetween(1, MAX_MONTHS, true),
    },
  ],
  examples: ["feather admin revenue --months 3", "feather admin revenue --csv"],
  options: (_, { months }) => ({ months: typeof months === "number" ? months : DEFAULT_MONTHS }),
  async run({ client, output, signal }, { months }) {
    const response = await (await client()).admin.revenue({ months }, { signal });
    const tableView = { columns: COLUMNS, id: ({ month }: RevenueMonth) => month, noun: "months", empty: "No months." };
    output.printList(tableView, response.months, response);
    const { mrr_usd_cents, subscription_count, trial_count, is_test } = response;
    const revenue = `${formatCents(mrr_usd_cents)} a month from ${formatCount(subscription_count)} plans`;
    output.info(
      `Now: ${revenue}, and ${formatCount(trial_count)} trials.${is_test ? " These are test payments." : ""}`,
    );
  },
};

const cents = (header: string, pick: (row: RevenueMonth) => number, dropOrder?: number): Column<RevenueMonth> => ({
  header,
  cell: (row) => formatCents(pick(row)),
  plain: (row) => String(pick(row)),
  align: "right",
  ...(dropOrder !== undefined && { dropOrder }),
});

const COLUMNS: readonly Column<RevenueMonth>[] = [
  { header: "MONTH", cell: ({ month }) => month, paint: (text, style) => style.bold(text) },
  cents("PLANS", (row) => row.plan_usd_cents),
  cents("CREDITS", (row) => row.credits_usd_cents),
  cents("METERED", (row) => row.metered_usd_cents, 4),
  cents("TAX", (row) => row.tax_usd_cents, 3),
  cents("GIVEN BACK", (row) => row.refunded_usd_cents, 2),
  cents("DISPUTED", (row) => row.disputed_usd_cents, 5),
  cents("NEVER PAID", (row) => row.uncollectible_usd_cents, 5),
  { header: "INVOICES", cell: (row) => formatCount(row.paid_invoice_count), align: "right", dropOrder: 6 },
  { header: "FAILED", cell: (row) => formatCount(row.failed_payment_count), align: "right", dropOrder: 4 },
  { header: "BEGAN", cell: (row) => formatCount(row.started_count), align: "right", dropOrder: 8 },
  { header: "ENDED", cell: (row) => formatCount(row.ended_count), align: "right", dropOrder: 7 },
  {
    header: "CHURN",
    cell: ({ churn_percent }) => (churn_percent === null ? "" : `${churn_percent} %`),
    plain: ({ churn_percent }) => (churn_percent === null ? "" : String(churn_percent)),
    align: "right",
    dropOrder: 1,
  },
  { header: "IN CURRENCIES", cell: (row) => formatCurrencies(row), plain: (row) => plainCurrencies(row), dropOrder: 9 },
];

/** Returns what was paid in each currency; nothing where all of it was US dollars. */
function formatCurrencies({ by_currency }: RevenueMonth): string {
  if (by_currency.every(({ currency }) => currency === "USD")) return "";
  return by_currency.map(({ paid_cents, currency }) => formatMoney(paid_cents, currency)).join(", ");
}

const plainCurrencies = ({ by_currency }: RevenueMonth): string =>
  by_currency.map(({ paid_cents, currency }) => `${paid_cents} ${currency}`).join(",");
