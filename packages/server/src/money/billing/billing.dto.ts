import type { components } from "@feather/openapi/schema";
import { unitsPerUsdOf } from "../currencies/index.ts";
import { type CouponRow, toCouponDto } from "../plans/index.ts";
import type { Quote } from "../quotes/index.ts";
import type { CouponRejection } from "./billing.errors.ts";
import type { PaymentMethodRow } from "./billing-rows.ts";
import type { CreditNoteRow } from "./invoices/credit-notes.repository.ts";
import { type InvoiceRow, linesOf, taxLinesOf } from "./invoices/invoices.repository.ts";
import { billedToSchema } from "./stored.schemas.ts";

type Schemas = components["schemas"];

type EInvoiceFormat = Schemas["Invoice"]["e_invoice"];

/** Converts an invoice for its organization. `eInvoice` is the form in which it is data for programs. */
export function toInvoiceDto(row: InvoiceRow, eInvoice: EInvoiceFormat): Schemas["Invoice"] {
  return {
    id: row.id,
    number: row.number,
    status: row.status as Schemas["Invoice"]["status"],
    currency: row.currency,
    units_per_usd: unitsPerUsdOf(row),
    lines: linesOf(row),
    subtotal_cents: row.subtotal_cents,
    discount_cents: row.discount_cents,
    tax_percent: row.tax_percent === null ? null : Number(row.tax_percent),
    tax_cents: row.tax_cents,
    tax_lines: taxLinesOf(row),
    reverse_charge: row.reverse_charge,
    vat_id_check: toVatIdCheckDto(row),
    e_invoice: eInvoice,
    total_cents: row.total_cents,
    refunded_cents: row.refunded_cents,
    dispute: toInvoiceDisputeDto(row),
    period_start_date: row.period_start_date?.toISOString() ?? null,
    period_end_date: row.period_end_date?.toISOString() ?? null,
    is_test: row.is_test,
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  };
}

function toVatIdCheckDto({
  vat_id_state,
  vat_id_answered_at,
  vat_id_consultation_number: consultation_number,
}: InvoiceRow): NonNullable<Schemas["Invoice"]["vat_id_check"]> | null {
  if (vat_id_state === null) return null;
  const state = vat_id_state as "checking" | "valid" | "invalid" | "unavailable";
  return { state, answered_at: vat_id_answered_at?.toISOString() ?? null, consultation_number };
}

function toInvoiceDisputeDto({
  dispute_status,
  disputed_cents,
}: InvoiceRow): NonNullable<Schemas["Invoice"]["dispute"]> | null {
  if (dispute_status === null) return null;
  return { status: dispute_status as "open" | "won" | "lost", amount_cents: disputed_cents };
}

/** Converts an invoice for admins, with organization and recipient. */
export function toAdminInvoiceDto(row: InvoiceRow, eInvoice: EInvoiceFormat): Schemas["AdminInvoice"] {
  const { name, email, address = null, country = null, vat_id = null } = billedToSchema.parse(row.billed_to);
  const billed_to = { name, email, address, country, vat_id };
  return { ...toInvoiceDto(row, eInvoice), organization_id: row.organization_id, billed_to };
}

/** Converts a credit note. */
export function toCreditNoteDto(row: CreditNoteRow): Schemas["CreditNote"] {
  const { id, number, invoice_id, currency, tax_cents, total_cents, is_test, created_at, withdrawn_at } = row;
  return {
    id,
    number,
    invoice_id,
    currency,
    tax_cents,
    total_cents,
    is_test,
    created_at: created_at.toISOString(),
    withdrawn_at: withdrawn_at?.toISOString() ?? null,
  };
}

/** Converts a card. */
export function toPaymentMethodDto(row: PaymentMethodRow): Schemas["PaymentMethod"] {
  const { id, brand, last4, exp_month, exp_year, is_default, is_test } = row;
  return { id, brand, last4, exp_month, exp_year, is_default, is_test };
}

/** Converts the quote of a change in a currency. Null stands for a cancellation, which costs nothing. */
export function toSubscriptionPreviewDto(quote: Quote | null, currency: string): Schemas["SubscriptionPreview"] {
  const { draft, prorationCents, nextInvoice } = quote ?? {};
  return {
    currency,
    lines: draft?.lines ?? [],
    proration_cents: prorationCents ?? 0,
    subtotal_cents: draft?.subtotalCents ?? 0,
    discount_cents: draft?.discountCents ?? 0,
    tax_cents: draft?.taxCents ?? 0,
    total_due_now_cents: draft?.totalCents ?? 0,
    next_invoice_cents: nextInvoice?.totalCents ?? 0,
    next_invoice_date: nextInvoice?.date.toISOString() ?? null,
  };
}

/** Converts a coupon for admins, with the reason why nobody can use it now, if any. */
export function toAdminCouponDto(row: CouponRow, now: Date): Schemas["AdminCoupon"] {
  return {
    ...toCouponDto(row, findRejectionReason(row, now)),
    redemptions: row.redemptions,
    is_retention: row.is_retention,
  };
}

function findRejectionReason({ ended_at, redeem_by_date, max_redemptions, redemptions }: CouponRow, now: Date) {
  const reason = (name: CouponRejection) => name;
  if (ended_at !== null) return reason("ended");
  if (redeem_by_date !== null && redeem_by_date <= now) return reason("expired");
  return max_redemptions !== null && redemptions >= max_redemptions ? reason("used_up") : null;
}
