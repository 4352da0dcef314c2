import type { MarketplacePayout } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListPage } from "#/components/list/list-page.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { payoutsQuery } from "../plans/queries.ts";
import { createMenuColumn } from "../row-menu.tsx";
import { PAYOUT_FILTERS, toPayoutsQuery } from "./filters.ts";
import { MarketplaceBalances } from "./marketplace-balances.tsx";
import { MarketplaceTabs } from "./marketplace-tabs.tsx";
import { PAYOUT_COLUMNS } from "./payout-columns.tsx";
import { PayoutDialog } from "./payout-dialog.tsx";
import { ReversePayoutDialog } from "./reverse-payout-dialog.tsx";

/** What marketplaces paid for metered usage, and what they owe: record and reverse. */
export function PayoutsList() {
  const list = useListState(PAYOUT_FILTERS);
  const payouts = useQuery(payoutsQuery(toPayoutsQuery(list)));
  const [isRecording, setRecording] = useState(false);
  const [reversing, setReversing] = useState<MarketplacePayout | null>(null);
  const balances = payouts.data?.balances;
  const owing = balances?.filter(({ open_usd }) => Number(open_usd) > 0) ?? [];
  const action = (
    <button type="button" className="btn primary" disabled={owing.length === 0} onClick={() => setRecording(true)}>
      {t`Record a payout`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Marketplaces`}
        description={t`What marketplaces paid for metered usage, and what they still owe.`}
        action={action}
        list={list}
        query={payouts}
        columns={[
          ...PAYOUT_COLUMNS,
          createMenuColumn(
            ({ reference }: MarketplacePayout) => reference,
            (payout) => [
              payout.reversed_at === null && {
                label: t`Reverse`,
                run: () => setReversing(payout),
                destructive: true,
              },
            ],
          ),
        ]}
        idOf={({ id }) => id}
        nameOf={({ reference }) => reference}
        empty={{
          title: t`No payouts yet`,
          text:
            owing.length > 0
              ? t`Record what a marketplace paid for metered usage, so that it counts as paid.`
              : t`As soon as a marketplace accepted metered usage, what it pays can be recorded.`,
          ...(owing.length > 0 && { action }),
        }}
      >
        <MarketplaceTabs />
        {balances && balances.length > 0 ? (
          <div className="mt-4 mb-5">
            <MarketplaceBalances balances={balances} />
          </div>
        ) : null}
      </ListPage>
      {isRecording ? <PayoutDialog balances={owing} close={() => setRecording(false)} /> : null}
      {reversing ? <ReversePayoutDialog payout={reversing} close={() => setReversing(null)} /> : null}
    </>
  );
}
