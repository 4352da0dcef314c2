import type { MarketplacePurchase, Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PageLocation } from "#/app/page-module.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/features/admin/list/list-params.ts";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { useListState } from "#/features/admin/list/use-list-state.ts";
import { NameWithDetail } from "#/features/admin/name-with-detail.tsx";
import { purchasesQuery } from "#/features/admin/plans/queries.ts";
import { RejectPurchaseDialog } from "#/features/admin/plans/reject-purchase-dialog.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Organization, purchase or customer` },
  {
    name: "status",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "pending", label: t`Pending` },
      { value: "active", label: t`Active` },
      { value: "suspended", label: t`Suspended` },
      { value: "canceled", label: t`Canceled` },
    ],
  },
  {
    name: "provider",
    label: t`Marketplace`,
    kind: "choice",
    options: Object.entries(MARKETPLACES).map(([value, label]) => ({ value, label })),
  },
];
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

const toQuery = ({ values, page }: ListValues) =>
  ({ ...values, page, perPage: 50 }) as Query<"admin.marketplaces.list">;

/** The purchases of all organizations at cloud marketplaces. */
export default function AdminMarketplacesPage() {
  const list = useListState(FILTERS);
  const purchases = useQuery(purchasesQuery(toQuery(list)));
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
      />
      {rejecting ? <RejectPurchaseDialog purchase={rejecting} close={() => setRejecting(null)} /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(purchasesQuery(toQuery(readList(search, FILTERS))));
