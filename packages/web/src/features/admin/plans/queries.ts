import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** A plan with its price and limits. */
export type Plan = Schemas["Plan"];
/** A coupon with its terms and uses. */
export type Coupon = Schemas["AdminCoupon"];
/** An invoice as an admin sees it. */
export type AdminInvoice = Schemas["AdminInvoice"];

/** All coupons. */
export const couponsQuery = queryOptions({
  queryKey: ["admin", "coupons"],
  queryFn: async () => feather.admin.coupons.list(),
});

/** How much of an invoice can be refunded, and which plan that ends. */
export const refundQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "invoices", "refund", id],
    queryFn: async () => feather.admin.invoices.previewRefund(id),
  });

/** One page of the invoices. */
export const invoicesQuery = (query: Query<"admin.invoices.list">) =>
  queryOptions({
    queryKey: ["admin", "invoices", query],
    queryFn: async () => feather.admin.invoices.list(query),
    placeholderData: keepPreviousData,
  });
