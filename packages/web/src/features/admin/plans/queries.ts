import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type Plan = Schemas["Plan"];
export type Coupon = Schemas["AdminCoupon"];
export type AdminInvoice = Schemas["AdminInvoice"];

export const couponsQuery = queryOptions({
  queryKey: ["admin", "coupons"],
  queryFn: async () => feather.admin.coupons.list(),
});

/** What can be given back of an invoice. */
export const refundQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "invoices", "refund", id],
    queryFn: async () => feather.admin.invoices.previewRefund(id),
  });

export const invoicesQuery = (query: Query<"admin.invoices.list">) =>
  queryOptions({
    queryKey: ["admin", "invoices", query],
    queryFn: async () => feather.admin.invoices.list(query),
    placeholderData: keepPreviousData,
  });
