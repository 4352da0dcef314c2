import type { Query } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** All coupons. */
export const couponsQuery = queryOptions({
  ...queries.admin.coupons.list.queryOptions(),
});

/** The currencies in which organizations can pay. */
export const adminCurrenciesQuery = queryOptions({
  ...queries.admin.currencies.list.queryOptions(),
});

/** How much of an invoice can be refunded, and which plan that ends. */
export const refundQuery = (id: string) =>
  queryOptions({
    ...queries.admin.invoices.previewRefund.queryOptions(id),
  });

/** One page of the invoices. */
export const invoicesQuery = (query: Query<"admin.invoices.list">) =>
  queryOptions({
    ...queries.admin.invoices.list.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** Who is on a plan, and at which prices. */
export const planSubscribersQuery = (id: string) =>
  queryOptions({
    ...queries.admin.plans.subscribers.queryOptions(id),
  });

/** One page of the purchases at cloud marketplaces. */
export const purchasesQuery = (query: Query<"admin.marketplaces.list">) =>
  queryOptions({
    ...queries.admin.marketplaces.list.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** One page of the metered usage at cloud marketplaces. */
export const marketplaceUsageQuery = (query: Query<"admin.marketplaces.usage">) =>
  queryOptions({
    ...queries.admin.marketplaces.usage.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** One page of the payouts of cloud marketplaces, and what they owe. */
export const payoutsQuery = (query: Query<"admin.marketplaces.payouts.list">) =>
  queryOptions({
    ...queries.admin.marketplaces.payouts.list.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** What is metered at cloud marketplaces. */
export const metersQuery = queryOptions({
  ...queries.admin.marketplaces.meters.list.queryOptions(),
});
