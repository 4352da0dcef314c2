import type { MarketplacePurchase } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { NameWithDetail } from "../name-with-detail.tsx";
import { purchasesQuery } from "../plans/queries.ts";
import { RejectPurchaseDialog } from "../plans/reject-purchase-dialog.tsx";
import { ADMIN_QUERY_KEYS } from "../query-keys.ts";
import { RelativeTime } from "../relative-time.tsx";
import { createMenuColumn } from "../row-menu.tsx";
import { PURCHASE_FILTERS, toPurchasesQuery } from "./filters.ts";
import { MarketplaceTabs } from "./marketplace-tabs.tsx";

const TIERS: Record<MarketplacePurchase["status"], string> = {
  pending: "loading",
  active: "good",
  suspended: "bad",
  canceled: "offline",
};

const COLUMNS: Column<MarketplacePurchase>[] = [
  {
    header: t`Organization`,
    cell: ({ organization_name, note, is_test }) => (
      <>
        <span className="user-text">{organization_name}</span> {is_test ? <Tag>{t`test`}</Tag> : null}
        {note === null ? null : <div className="small faint user-text">{note}</div>}
      </>
    ),
  },
  {
    header: t`Marketplace`,
    cell: ({ provider, customer_id }) => <NameWithDetail name={MARKETPLACES[provider]} detail={customer_id} />,
    hideWhenNarrow: true,
  },
  {
    header: t`Plan`,
    cell: ({ plan_id, offer, quantity }) => (
      <span className="mono user-text">
        {plan_id ?? offer ?? "–"}
        {quantity > 1 ? ` × ${quantity}` : null}
      </span>
    ),
    hideWhenNarrow: true,
  },
  {
    header: t`Ends`,
    cell: ({ ends_at }) => (ends_at === null ? "–" : <RelativeTime date={ends_at} />),
    hideWhenNarrow: true,
  },
  {
    header: t`Asked`,
    cell: ({ checked_at }) => (checked_at === null ? "–" : <RelativeTime date={checked_at} />),
    hideWhenNarrow: true,
  },
  {
    header: t`State`,
    cell: ({ status }) => (
      <span className="small">
        <StateBadge tier={TIERS[status]}>{status}</StateBadge>
      </span>
    ),
  },
];

/** The purchases of all organizations at cloud marketplaces. */
export function PurchasesList() {
  const list = useListState(PURCHASE_FILTERS);
  const purchases = useQuery(purchasesQuery(toPurchasesQuery(list)));
  const [rejecting, setRejecting] = useState<MarketplacePurchase | null>(null);
  const settlement = useAction(({ id }: MarketplacePurchase) => feather.admin.marketplaces.settle(id), {
    success: ({ organization_name, status }) => t`The purchase for ${organization_name} is ${status}`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <>
      <ListPage
        title={t`Marketplaces`}
        description={t`Plans that were bought at cloud marketplaces, which collect for them.`}
        list={list}
        query={purchases}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ organization_name }: MarketplacePurchase) => organization_name,
            (purchase) => [
              { label: t`Ask the marketplace`, run: () => void settlement.run(purchase) },
              purchase.status === "pending" && {
                label: t`Reject`,
                run: () => setRejecting(purchase),
                destructive: true,
              },
            ],
          ),
        ]}
        idOf={({ id }) => id}
        empty={{
          title: t`No purchases yet`,
          text: t`As soon as somebody connects what they bought at a marketplace, it stands here.`,
        }}
      >
        <MarketplaceTabs />
      </ListPage>
      {rejecting ? <RejectPurchaseDialog purchase={rejecting} close={() => setRejecting(null)} /> : null}
    </>
  );
}
