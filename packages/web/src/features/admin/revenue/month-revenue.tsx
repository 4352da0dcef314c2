import type { RevenueMonth } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { formatCents } from "#/entities/money/money.ts";
import { formatCount, formatShortPercent } from "#/lib/format.ts";

/** Formats an amount that is mostly zero. */
const formatRare = (cents: number): string => (cents === 0 ? "–" : formatCents(cents));

const formatRareCount = (count: number): string => (count === 0 ? "–" : formatCount(count));

const COLUMNS: Column<RevenueMonth>[] = [
  { header: t`Month`, cell: ({ month }) => <span className="num whitespace-nowrap">{month}</span> },
  { header: t`Plans`, cell: ({ plan_usd_cents }) => formatRare(plan_usd_cents), isNumeric: true },
  { header: t`Credits`, cell: ({ credits_usd_cents }) => formatRare(credits_usd_cents), isNumeric: true },
  {
    header: t`Metered`,
    cell: ({ metered_usd_cents }) => formatRare(metered_usd_cents),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  { header: t`Tax`, cell: ({ tax_usd_cents }) => formatRare(tax_usd_cents), isNumeric: true, hideWhenNarrow: true },
  {
    header: t`Given back`,
    cell: ({ refunded_usd_cents }) => formatRare(refunded_usd_cents),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Disputed`,
    cell: ({ disputed_usd_cents }) => formatRare(disputed_usd_cents),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Failed`,
    cell: ({ failed_payment_count }) => formatRareCount(failed_payment_count),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Never paid`,
    cell: ({ uncollectible_usd_cents }) => formatRare(uncollectible_usd_cents),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Began`,
    cell: ({ started_count }) => formatRareCount(started_count),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  { header: t`Ended`, cell: ({ ended_count }) => formatRareCount(ended_count), isNumeric: true, hideWhenNarrow: true },
  {
    header: t`Churn`,
    cell: ({ churn_percent }) => (churn_percent === null ? "–" : formatShortPercent(churn_percent)),
    isNumeric: true,
  },
];

/** What was paid in each month, and how many plans began and ended. */
export function MonthRevenue({ months }: { months: readonly RevenueMonth[] }) {
  return (
    <section className="mt-8">
      <h2 className="h4 mb-3">{t`By month`}</h2>
      <ListTable caption={t`Revenue by month`} columns={COLUMNS} items={months} idOf={({ month }) => month} />
    </section>
  );
}
