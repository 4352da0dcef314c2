import { type InvoiceRow, linesOf } from "../invoices/invoices.repository.ts";
import { formatDate } from "../quote.ts";
import { billedToSchema, sellerSchema } from "../stored.schemas.ts";
import type { Amount, BillingDocument, Fact, Party } from "./billing-document.ts";

const STATUS_LABELS: Record<string, string> = {
  open: "to be paid",
  paid: "paid",
  uncollectible: "not paid",
  void: "void",
};

/** Returns what an invoice says. `productName` stands for the seller of invoices that name none. */
export function toInvoiceDocument(invoice: InvoiceRow, productName: string): BillingDocument {
  return {
    title: `Invoice ${invoice.number}`,
    number: invoice.number,
    isTest: invoice.is_test,
    issuedAt: invoice.created_at,
    seller: toSellerParty(invoice.seller, productName),
    buyer: toBuyerParty(invoice.billed_to),
    facts: listFacts(invoice),
    lines: linesOf(invoice).map(({ description, amount_cents }) => ({ label: description, cents: amount_cents })),
    totals: listTotals(invoice),
    total: { label: "Total in USD", cents: invoice.total_cents },
    settlement: listSettlement(invoice),
    notes: [],
  };
}

/** Converts a stored seller; null stands for the product. */
export function toSellerParty(stored: unknown, productName: string): Party {
  if (stored === null) return { name: productName, details: [] };
  const { name, address, country, vat_id } = sellerSchema.parse(stored);
  return { name, details: [...address.split("\n"), formatCountry(country), ...vatIdLines(vat_id)] };
}

/** Converts a stored recipient. */
export function toBuyerParty(stored: unknown): Party {
  const { name, email } = billedToSchema.parse(stored);
  return name === "" ? { name: email, details: [] } : { name, details: email === "" ? [] : [email] };
}

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" });

function formatCountry(code: string): string {
  return COUNTRY_NAMES.of(code) ?? code;
}

function vatIdLines(vatId: string | undefined): string[] {
  return vatId === undefined ? [] : [`VAT id ${vatId}`];
}

function listFacts(invoice: InvoiceRow): Fact[] {
  const { period_start_date: start, period_end_date: end, paid_at, status } = invoice;
  const statusLabel = STATUS_LABELS[status] ?? status;
  return [
    { label: "Number", text: invoice.number },
    { label: "Date", text: formatDate(invoice.created_at) },
    ...(start && end ? [{ label: "Period", text: `${formatDate(start)} to ${formatDate(end)}` }] : []),
    { label: "Status", text: paid_at ? `${statusLabel} on ${formatDate(paid_at)}` : statusLabel },
    { label: "Currency", text: "US dollars (USD)" },
  ];
}

function listTotals({ subtotal_cents, discount_cents, tax_cents, coupon_code }: InvoiceRow): Amount[] {
  const discountLabel = coupon_code === null ? "Discount" : `Coupon ${coupon_code}`;
  return [
    { label: "Subtotal", cents: subtotal_cents },
    ...(discount_cents > 0 ? [{ label: discountLabel, cents: -discount_cents }] : []),
    ...(tax_cents > 0 ? [{ label: "Tax", cents: tax_cents }] : []),
  ];
}

function listSettlement({ status, total_cents, refunded_cents }: InvoiceRow): Amount[] {
  if (total_cents === 0) return [];
  return [
    { label: "Paid", cents: status === "paid" ? total_cents : 0 },
    ...(refunded_cents > 0 ? [{ label: "Given back", cents: refunded_cents }] : []),
    { label: "Still to be paid", cents: status === "open" ? total_cents : 0 },
  ];
}
