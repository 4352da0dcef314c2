import type { components } from "@feather/openapi/schema";
import { presentCoupon } from "../plans/plans.present.ts";
import type { CouponRow } from "../plans/plans.repository.ts";
import type { CouponFault } from "./billing.errors.ts";
import type { PaymentMethodRow } from "./billing.repository.ts";
import { type InvoiceRow, linesOf } from "./invoices.repository.ts";
import type { Quote } from "./quote.ts";
import type { Settlement } from "./settlements.ts";

type Schemas = components["schemas"];

/** Converts an invoice for its organization. */
export function presentInvoice(row: InvoiceRow): Schemas["Invoice"] {
  return {
    id: row.id,
    number: row.number,
    status: row.status as Schemas["Invoice"]["status"],
    currency: "USD",
    lines: linesOf(row),
    subtotal_cents: row.subtotal_cents,
    discount_cents: row.discount_cents,
    tax_cents: row.tax_cents,
    total_cents: row.total_cents,
    refunded_cents: row.refunded_cents,
    period_start_date: row.period_start_date?.toISOString() ?? null,
    period_end_date: row.period_end_date?.toISOString() ?? null,
    is_test: row.is_test,
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  };
}

/** Converts an invoice for admins, with organization and recipient. */
export function presentAdminInvoice(row: InvoiceRow): Schemas["AdminInvoice"] {
  const billedTo = row.billed_to as { name: string; email: string };
  return { ...presentInvoice(row), organization_id: row.organization_id, billed_to: billedTo };
}

/** Converts a card. */
export function presentPaymentMethod(row: PaymentMethodRow): Schemas["PaymentMethod"] {
  const { id, brand, last4, exp_month, exp_year, is_default, is_test } = row;
  return { id, brand, last4, exp_month, exp_year, is_default, is_test };
}

/** Converts a paid plan that ends early. */
export function presentSettlement(settlement: Settlement): Schemas["EndedPlan"] {
  const { planId, planName, quantity, periodEnd, creditedCents, balanceCents } = settlement;
  return {
    plan_id: planId,
    plan_name: planName,
    quantity,
    period_end_date: periodEnd.toISOString(),
    credited_cents: creditedCents,
    balance_cents: balanceCents,
  };
}

/** Converts the quote of a change. Null stands for a cancellation, which costs nothing. */
export function presentPreview(quote: Quote | null): Schemas["SubscriptionPreview"] {
  const { bill, prorationCents, next } = quote ?? {};
  return {
    lines: bill?.lines ?? [],
    proration_cents: prorationCents ?? 0,
    subtotal_cents: bill?.subtotalCents ?? 0,
    discount_cents: bill?.discountCents ?? 0,
    tax_cents: bill?.taxCents ?? 0,
    total_due_now_cents: bill?.totalCents ?? 0,
    next_invoice_cents: next?.totalCents ?? 0,
    next_invoice_date: next?.date.toISOString() ?? null,
  };
}

/** Converts a coupon for admins, with the reason why nobody can use it now, if any. */
export function presentAdminCoupon(row: CouponRow, now: Date): Schemas["AdminCoupon"] {
  return { ...presentCoupon(row, faultForAll(row, now)), redemptions: row.redemptions, is_retention: row.is_retention };
}

function faultForAll({ ended_at, redeem_by_date, max_redemptions, redemptions }: CouponRow, now: Date) {
  const fault = (name: CouponFault) => name;
  if (ended_at !== null) return fault("ended");
  if (redeem_by_date !== null && redeem_by_date <= now) return fault("expired");
  return max_redemptions !== null && redemptions >= max_redemptions ? fault("used_up") : null;
}
