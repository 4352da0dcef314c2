import type { MarketplaceBalance } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { formatUsd } from "#/entities/money/money.ts";

/** Formats an amount that is mostly zero. */
const formatRare = (dollars: string): string => (Number(dollars) === 0 ? "–" : formatUsd(dollars));

const COLUMNS: Column<MarketplaceBalance>[] = [
  { header: t`Marketplace`, cell: ({ provider }) => <span className="strong">{MARKETPLACES[provider]}</span> },
  { header: t`Accepted`, cell: ({ accepted_usd }) => formatUsd(accepted_usd), isNumeric: true, hideWhenNarrow: true },
  { header: t`Paid out`, cell: ({ paid_usd }) => formatRare(paid_usd), isNumeric: true },
  { header: t`Fees`, cell: ({ fee_usd }) => formatRare(fee_usd), isNumeric: true, hideWhenNarrow: true },
  { header: t`Open`, cell: ({ open_usd }) => formatUsd(open_usd), isNumeric: true },
  {
    header: t`Not accepted yet`,
    cell: ({ waiting_usd }) => formatRare(waiting_usd),
    isNumeric: true,
    hideWhenNarrow: true,
  },
];

/** What each marketplace owes for metered usage. Nothing where none was metered. */
export function MarketplaceBalances({ balances }: { balances: readonly MarketplaceBalance[] | undefined }) {
  if (balances?.length === 0) return null;
  return (
    <ListTable
      caption={t`What marketplaces owe`}
      columns={COLUMNS}
      items={balances}
      idOf={({ provider }) => provider}
      nameOf={({ provider }) => MARKETPLACES[provider]}
    />
  );
}
