import { convertAmount } from "../../currencies/index.ts";
import type { EInvoice, EInvoiceParty } from "../../documents/index.ts";
import type { CreditNoteRow } from "../invoices/credit-notes.repository.ts";
import { type InvoiceRow, linesOf, taxLinesOf } from "../invoices/invoices.repository.ts";
import { billedToSchema, sellerSchema } from "../stored.schemas.ts";

type Common = Pick<EInvoice, "currency" | "seller" | "buyer" | "buyerReference" | "taxPercent">;

/**
 * Returns an invoice as data for programs; null where it lacks what an e-invoice needs: a seller with a VAT id, the country of the
 * buyer, and tax at one rate above zero or reverse charge. Test invoices are none, so that no program books them.
 */
export function toEInvoice(invoice: InvoiceRow): EInvoice | null {
  const common = toCommon(invoice);
  if (common === null) return null;
  const { period_start_date: start, period_end_date: end, discount_cents, coupon_code } = invoice;
  return {
    ...common,
    kind: "invoice",
    number: invoice.number,
    issuedAt: invoice.created_at,
    lines: linesOf(invoice).map(({ description, amount_cents }) => ({ name: description, cents: amount_cents })),
    discount: discount_cents > 0 ? { reason: `Coupon ${coupon_code ?? ""}`.trim(), cents: discount_cents } : null,
    taxCents: invoice.tax_cents,
    declaredTax: toDeclaredTax(invoice, invoice.tax_cents),
    totalCents: invoice.total_cents,
    paidCents: invoice.status === "paid" ? invoice.total_cents : 0,
    period: start && end ? { start, end } : null,
    correctedInvoice: null,
  };
}

/** Returns a credit note as data for programs; null where its invoice is none, and where it is withdrawn. */
export function toCreditNoteEInvoice(note: CreditNoteRow, invoice: InvoiceRow): EInvoice | null {
  const common = toCommon(invoice);
  if (common === null || note.withdrawn_at !== null) return null;
  return {
    ...common,
    kind: "credit_note",
    number: note.number,
    issuedAt: note.created_at,
    lines: [{ name: `Refund of invoice ${invoice.number}`, cents: note.total_cents - note.tax_cents }],
    discount: null,
    taxCents: note.tax_cents,
    declaredTax: toDeclaredTax(invoice, note.tax_cents),
    totalCents: note.total_cents,
    paidCents: note.total_cents,
    period: null,
    correctedInvoice: { number: invoice.number, issuedAt: invoice.created_at },
  };
}

/** Returns a tax in the currency in which the seller declares it, at the rates of the invoice; null where that is the same. */
export function toDeclaredTax(invoice: InvoiceRow, taxCents: number): EInvoice["declaredTax"] {
  const { tax_currency: currency, tax_minor_per_usd: minor_per_usd } = invoice;
  if (currency === null || minor_per_usd === null) return null;
  return { currency, cents: convertAmount(taxCents, invoice, { currency, minor_per_usd }) };
}

function toCommon(invoice: InvoiceRow): Common | null {
  const { is_test, tax_percent, reverse_charge } = invoice;
  const percent = Number(tax_percent ?? 0);
  const hasOneRate = taxLinesOf(invoice).length <= 1;
  if (is_test || invoice.seller === null || !hasOneRate || (percent === 0 && !reverse_charge)) return null;
  const { contact, ...storedSeller } = sellerSchema.parse(invoice.seller);
  const billedTo = billedToSchema.parse(invoice.billed_to);
  const seller = toParty({ ...storedSeller, email: contact?.email });
  const buyer = toParty(billedTo);
  if (seller === null || seller.vatId === null || buyer === null) return null;
  return {
    currency: invoice.currency,
    seller: { ...seller, contact: contact ? { name: contact.name, phone: contact.phone } : null },
    buyer,
    buyerReference: billedTo.buyer_reference ?? null,
    taxPercent: reverse_charge ? null : percent,
  };
}

type StoredParty = {
  name: string;
  address?: string | null | undefined;
  postal_code?: string | null | undefined;
  city?: string | null | undefined;
  country?: string | null | undefined;
  email?: string | null | undefined;
  vat_id?: string | null | undefined;
};

function toParty(party: StoredParty): EInvoiceParty | null {
  const { name, address, postal_code, city, country, email, vat_id } = party;
  if (name === "" || !country) return null;
  const addressLines = (address ?? "").split("\n").filter((line) => line.trim() !== "");
  return {
    name,
    addressLines,
    postalCode: postal_code ?? null,
    city: city ?? null,
    country,
    vatId: vat_id ?? null,
    email: email || null,
    contact: null,
  };
}
