import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** A plan with its price and limits. */
export type Plan = Schemas["Plan"];
/** A coupon with its terms and uses. */
export type Coupon = Schemas["AdminCoupon"];
/** An invoice as an admin sees it. */
export type AdminInvoice = Schemas["AdminInvoice"];

/** All coupons. */
export const couponsQuery = queryOptions({
  ...queries.admin.coupons.list.queryOptions(),
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
