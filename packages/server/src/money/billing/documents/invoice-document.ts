import { isInEu } from "../../../platform/core/eu-countries.ts";
import { formatMoney, nameCurrency, unitsPerUsdOf } from "../../currencies/index.ts";
import type { Amount, BillingDocument, DocumentSettings, Fact, Party } from "../../documents/index.ts";
import { formatDate } from "../../quotes/index.ts";
import type { CreditNoteRow } from "../invoices/credit-notes.repository.ts";
import { type InvoiceRow, linesOf, taxLinesOf } from "../invoices/invoices.repository.ts";
import { billedToSchema, sellerSchema } from "../stored.schemas.ts";
import { toEInvoices } from "./e-invoices.ts";
import { toDeclaredTax, toEInvoice } from "./to-e-invoice.ts";

const STATUS_LABELS: Record<string, string> = {
  open: "to be paid",
  paid: "paid",
  uncollectible: "not paid",
  void: "void",
};

const REVERSE_CHARGE_NOTE =
  "Reverse charge: the recipient is liable for the VAT (Articles 44 and 196 of Council Directive 2006/112/EC).";

/** Returns what an invoice with its credit notes says. */
export function toInvoiceDocument(
  invoice: InvoiceRow,
  creditNotes: readonly CreditNoteRow[],
  settings: DocumentSettings,
): BillingDocument {
  return {
    title: `Invoice ${invoice.number}`,
    number: invoice.number,
    isTest: invoice.is_test,
    currency: invoice.currency,
    issuedAt: invoice.created_at,
    seller: toSellerParty(invoice.seller, settings.productName),
    buyer: toBuyerParty(invoice.billed_to),
    facts: listFacts(invoice),
    lines: linesOf(invoice).map(({ description, amount_cents }) => ({ label: description, cents: amount_cents })),
    totals: listTotals(invoice),
    total: { label: `Total in ${invoice.currency}`, cents: invoice.total_cents },
    settlement: listSettlement(invoice),
    ...toEInvoices(settings, () => toEInvoice(invoice)),
    notes: [
      ...reverseChargeNotes(invoice),
      ...declaredTaxNotes(invoice, invoice.tax_cents),
      ...vatIdNotes(invoice),
      ...creditNotes.map((note) => describeCreditNote(note, invoice.currency)),
      ...unnotedRefunds(invoice, creditNotes),
    ],
  };
}

/** Converts a stored seller; null stands for the product. */
export function toSellerParty(stored: unknown, productName: string): Party {
  if (stored === null) return { name: productName, details: [] };
  const { name, contact, ...address } = sellerSchema.parse(stored);
  const contactLines = contact ? [contact.name, contact.phone, contact.email] : [];
  return { name, details: [...listAddressLines(address), ...contactLines] };
}

/** Converts a stored recipient. */
export function toBuyerParty(stored: unknown): Party {
  const { name, email, ...address } = billedToSchema.parse(stored);
  const lines = listAddressLines(address);
  if (name === "") return { name: email, details: lines };
  return { name, details: [...lines, ...(email === "" ? [] : [email])] };
}

type Address = {
  address?: string | null | undefined;
  postal_code?: string | null | undefined;
  city?: string | null | undefined;
  country?: string | null | undefined;
  vat_id?: string | null | undefined;
};

function listAddressLines({ address, postal_code, city, country, vat_id }: Address): string[] {
  const place = [postal_code, city].filter(Boolean).join(" ");
  return [
    ...(address ? address.split("\n") : []),
    ...(place ? [place] : []),
    ...(country ? [COUNTRY_NAMES.of(country) ?? country] : []),
    ...(vat_id ? [`VAT id ${vat_id}`] : []),
  ];
}

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" });

function listFacts(invoice: InvoiceRow): Fact[] {
  const { period_start_date: start, period_end_date: end, paid_at, status } = invoice;
  const statusLabel = STATUS_LABELS[status] ?? status;
  return [
    { label: "Number", text: invoice.number },
    { label: "Date", text: formatDate(invoice.created_at) },
    ...(start && end ? [{ label: "Period", text: `${formatDate(start)} to ${formatDate(end)}` }] : []),
    { label: "Status", text: paid_at ? `${statusLabel} on ${formatDate(paid_at)}` : statusLabel },
    ...listBuyerReference(invoice),
    { label: "Currency", text: nameCurrency(invoice.currency) },
  ];
}

/** Returns what the buyer asked to be named. */
export function listBuyerReference({ billed_to }: InvoiceRow): Fact[] {
  const { buyer_reference } = billedToSchema.parse(billed_to);
  return buyer_reference ? [{ label: "Your reference", text: buyer_reference }] : [];
}

function listTotals(invoice: InvoiceRow): Amount[] {
  const { subtotal_cents, discount_cents, coupon_code } = invoice;
  const discountLabel = coupon_code === null ? "Discount" : `Coupon ${coupon_code}`;
  return [
    { label: "Subtotal", cents: subtotal_cents },
    ...(discount_cents > 0 ? [{ label: discountLabel, cents: -discount_cents }] : []),
    ...listTaxes(invoice),
  ];
}

/** Lists the taxes: those that a tax service calculated by jurisdiction, otherwise the one at the rate of the settings. */
function listTaxes(invoice: InvoiceRow): Amount[] {
  const { tax_cents, tax_percent, reverse_charge } = invoice;
  const lines = taxLinesOf(invoice).filter((line) => line.tax_cents > 0 || line.reason === "reverse_charge");
  if (lines.length > 0)
    return lines.map((line) => ({
      label: [line.name, line.jurisdiction, ...(line.percent === null ? [] : [`${line.percent} %`])].join(", "),
      cents: line.tax_cents,
    }));
  return tax_cents > 0 || reverse_charge ? [{ label: taxLabel(tax_percent), cents: tax_cents }] : [];
}

/** Returns the sentence about reverse charge, if the buyer owes the tax. The directive is that of the EU. */
export function reverseChargeNotes({ reverse_charge, billed_to }: InvoiceRow): string[] {
  if (!reverse_charge) return [];
  const { country } = billedToSchema.parse(billed_to);
  return [country && isInEu(country) ? REVERSE_CHARGE_NOTE : "Reverse charge: the recipient is liable for the tax."];
}

/** Returns the tax in the currency in which the seller declares it, with the rate, if that is another. */
export function declaredTaxNotes(invoice: InvoiceRow, taxCents: number): string[] {
  const declared = toDeclaredTax(invoice, taxCents);
  if (declared === null) return [];
  const units = (currency: string, minor_per_usd: string) =>
    `${unitsPerUsdOf({ currency, minor_per_usd })} ${currency}`;
  const rates = [
    units(invoice.currency, invoice.minor_per_usd),
    units(declared.currency, invoice.tax_minor_per_usd ?? "0"),
  ];
  return [`The tax is ${formatMoney(declared.cents, declared.currency)}: ${rates.join(" are ")}.`];
}

/** Returns the proof that VIES found the buyer's VAT id valid, if reverse charge rests on it. */
function vatIdNotes({ reverse_charge, vat_id_answered_at, vat_id_consultation_number }: InvoiceRow): string[] {
  if (!reverse_charge || vat_id_answered_at === null) return [];
  const number = vat_id_consultation_number === null ? "" : `, consultation number ${vat_id_consultation_number}`;
  return [`VIES found the VAT id of the recipient valid on ${formatDate(vat_id_answered_at)}${number}.`];
}

function describeCreditNote(note: CreditNoteRow, currency: string): string {
  const { number, created_at, total_cents, withdrawn_at } = note;
  const text = `Credit note ${number} of ${formatDate(created_at)}: ${formatMoney(total_cents, currency)}`;
  return withdrawn_at
    ? `${text} could not be given back; withdrawn on ${formatDate(withdrawn_at)}.`
    : `${text} given back.`;
}

/** Says which part was given back before refunds had credit notes. */
function unnotedRefunds({ refunded_cents, currency }: InvoiceRow, creditNotes: readonly CreditNoteRow[]): string[] {
  const valid = creditNotes.filter(({ withdrawn_at }) => withdrawn_at === null);
  const cents = valid.reduce((rest, note) => rest - note.total_cents, refunded_cents);
  return cents > 0
    ? [`${formatMoney(cents, currency)} were given back before refunds had credit notes, so there is none about them.`]
    : [];
}

/** Returns the label of a tax; without a rate for invoices from before it was recorded. */
export function taxLabel(percent: string | null): string {
  return percent === null ? "Tax" : `Tax ${Number(percent)} %`;
}

function listSettlement(invoice: InvoiceRow): Amount[] {
  const { status, total_cents, refunded_cents, dispute_status, disputed_cents } = invoice;
  if (total_cents === 0) return [];
  return [
    { label: "Paid", cents: status === "paid" ? total_cents : 0 },
    ...(refunded_cents > 0 ? [{ label: "Given back", cents: refunded_cents }] : []),
    ...(dispute_status === "open" ? [{ label: "Disputed, not decided yet", cents: disputed_cents }] : []),
    ...(dispute_status === "lost" ? [{ label: "Taken back by the bank after a dispute", cents: disputed_cents }] : []),
    { label: "Still to be paid", cents: status === "open" ? total_cents : 0 },
  ];
}
