import type { QueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { readList } from "#/features/admin/list/list-params.ts";
import {
  PURCHASE_FILTERS,
  toPurchasesQuery,
  toUsageQuery,
  USAGE_FILTERS,
} from "#/features/admin/marketplaces/filters.ts";
import { MetersList } from "#/features/admin/marketplaces/meters-list.tsx";
import { PurchasesList } from "#/features/admin/marketplaces/purchases-list.tsx";
import { UsageList } from "#/features/admin/marketplaces/usage-list.tsx";
import { marketplaceUsageQuery, metersQuery, purchasesQuery } from "#/features/admin/plans/queries.ts";

/** Cloud marketplaces: the purchases of all organizations, and metered usage (`?view=usage`, `?view=meters`). */
export default function AdminMarketplacesPage() {
  const [params] = useSearchParams();
  const view = params.get("view");
  if (view === "usage") return <UsageList />;
  return view === "meters" ? <MetersList /> : <PurchasesList />;
}

/** Loads what the page reads first. */
export function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const view = new URLSearchParams(search).get("view");
  if (view === "meters") return client.prefetchQuery(metersQuery);
  return view === "usage"
    ? client.prefetchQuery(marketplaceUsageQuery(toUsageQuery(readList(search, USAGE_FILTERS))))
    : client.prefetchQuery(purchasesQuery(toPurchasesQuery(readList(search, PURCHASE_FILTERS))));
}
