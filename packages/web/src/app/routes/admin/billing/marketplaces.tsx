import type { QueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { readList } from "#/components/list/list-params.ts";
import {
  PAYOUT_FILTERS,
  PURCHASE_FILTERS,
  toPayoutsQuery,
  toPurchasesQuery,
  toUsageQuery,
  USAGE_FILTERS,
} from "#/features/admin/marketplaces/filters.ts";
import { MetersList } from "#/features/admin/marketplaces/meters-list.tsx";
import { PayoutsList } from "#/features/admin/marketplaces/payouts-list.tsx";
import { PurchasesList } from "#/features/admin/marketplaces/purchases-list.tsx";
import { UsageList } from "#/features/admin/marketplaces/usage-list.tsx";
import { marketplaceUsageQuery, metersQuery, payoutsQuery, purchasesQuery } from "#/features/admin/plans/queries.ts";

/** Cloud marketplaces: the purchases of all organizations, metered usage (`?view=usage`, `?view=meters`) and payouts (`?view=payouts`). */
export default function AdminMarketplacesPage() {
  const [params] = useSearchParams();
  const view = params.get("view");
  if (view === "usage") return <UsageList />;
  if (view === "payouts") return <PayoutsList />;
  return view === "meters" ? <MetersList /> : <PurchasesList />;
}

/** Loads what the page reads first. */
export function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const view = new URLSearchParams(search).get("view");
  if (view === "meters") return client.prefetchQuery(metersQuery);
  if (view === "payouts") return client.prefetchQuery(payoutsQuery(toPayoutsQuery(readList(search, PAYOUT_FILTERS))));
  return view === "usage"
    ? client.prefetchQuery(marketplaceUsageQuery(toUsageQuery(readList(search, USAGE_FILTERS))))
    : client.prefetchQuery(purchasesQuery(toPurchasesQuery(readList(search, PURCHASE_FILTERS))));
}
