import type { RevenueMonth } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { formatMoney } from "#/entities/money/money.ts";

type Row = RevenueMonth["by_currency"][number] & { month: string };

const COLUMNS: Column<Row>[] = [
  { header: t`Month`, cell: ({ month }) => <span className="num whitespace-nowrap">{month}</span> },
  { header: t`Paid`, cell: ({ paid_cents, currency }) => formatMoney(paid_cents, currency), isNumeric: true },
  {
    header: t`Given back`,
    cell: ({ refunded_cents, currency }) => (refunded_cents === 0 ? "–" : formatMoney(refunded_cents, currency)),
    isNumeric: true,
  },
];

/** What was paid in each currency, with tax. Nothing where all of it is US dollars. */
export function CurrencyRevenue({ months }: { months: readonly RevenueMonth[] }) {
  const rows = months.flatMap(({ month, by_currency }) => by_currency.map((paid) => ({ ...paid, month })));
  if (rows.every(({ currency }) => currency === "USD")) return null;
  return (
    <section className="mt-8">
      <h2 className="h4">{t`By currency`}</h2>
      <p className="muted mt-2 mb-3">{t`With tax. All other amounts are US dollars at the rates of their invoices.`}</p>
      <ListTable
        caption={t`Revenue by currency`}
        columns={COLUMNS}
        items={rows}
        idOf={({ month, currency }) => `${month} ${currency}`}
      />
    </section>
  );
}
