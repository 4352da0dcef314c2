import type { MarketplacePayoutList } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { ListTable } from "#/components/list/list-table.tsx";
import { TestNote } from "#/entities/billing/test-note.tsx";
import { MarketplaceBalances } from "../marketplaces/marketplace-balances.tsx";
import { PAYOUT_COLUMNS } from "../marketplaces/payout-columns.tsx";

type Props = { payouts: MarketplacePayoutList; isTest: boolean };

/** What marketplaces owe for metered usage, and their last payouts. Nothing where no usage was metered. */
export function MarketplaceRevenue({ payouts: { balances, items }, isTest }: Props) {
  if (balances.length === 0) return null;
  return (
    <section className="mt-8">
      <h2 className="h4">{t`Metered usage at marketplaces`}</h2>
      <p className="muted mt-2 mb-3">
        {t`What was used beyond credits, all in all. Marketplaces bill it, and pay it out less their fee.`}{" "}
        <Link className="link" to="/admin/marketplaces?view=payouts">{t`Record a payout`}</Link>
      </p>
      {isTest ? (
        <div className="mb-3">
          <TestNote>{t`Marketplaces on this server are tests. No money moves.`}</TestNote>
        </div>
      ) : null}
      <MarketplaceBalances balances={balances} />
      <h3 className="strong mt-5 mb-3">{t`Last payouts`}</h3>
      {items.length === 0 ? (
        <p className="muted">{t`No payout is recorded yet.`}</p>
      ) : (
        <ListTable
          caption={t`Last payouts of marketplaces`}
          columns={PAYOUT_COLUMNS}
          items={items}
          idOf={({ id }) => id}
          nameOf={({ reference }) => reference}
        />
      )}
    </section>
  );
}
