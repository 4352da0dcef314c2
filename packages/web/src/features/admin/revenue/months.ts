import type { RevenueMonth } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { formatCents } from "#/entities/money/money.ts";
import { toCsv } from "#/lib/csv.ts";

/** The numbers of months that can be chosen; the first is the default. */
export const MONTH_CHOICES = [12, 24, 36] as const;

/** Returns the number of months that the address asks for. */
export const readMonths = (text: string | null): number =>
  MONTH_CHOICES.find((months) => String(months) === text) ?? MONTH_CHOICES[0];

/** Returns a chart of what was paid in each month for plans and credits, without tax. */
export const createRevenueChart = (months: readonly RevenueMonth[]): ChartData => ({
  kind: "bars",
  series: [
    { id: "plans", name: t`Plans` },
    { id: "credits", name: t`Credits` },
  ],
  more: [],
  slices: months.toReversed().map(({ month, plan_usd_cents, credits_usd_cents }) => ({
    at: month,
    values: [plan_usd_cents, credits_usd_cents],
    more: [],
  })),
  format: formatCents,
  formatTick: (cents) => formatCents(cents).replace(/\.00$/, ""),
  isCount: true,
});

const CSV_COLUMNS = [
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
] as const satisfies readonly (keyof RevenueMonth)[];

/** Returns the months as CSV. */
export const toRevenueCsv = (months: readonly RevenueMonth[]): string =>
  toCsv(
    CSV_COLUMNS,
    months.map((month) => CSV_COLUMNS.map((column) => month[column])),
  );
