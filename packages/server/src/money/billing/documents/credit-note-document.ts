import { nameCurrency } from "../../currencies/index.ts";
import type { BillingDocument, DocumentSettings } from "../../documents/index.ts";
import { formatDate } from "../../quotes/index.ts";
import type { CreditNoteRow } from "../invoices/credit-notes.repository.ts";
import type { InvoiceRow } from "../invoices/invoices.repository.ts";
import { toEInvoices } from "./e-invoices.ts";
import {
  declaredTaxNotes,
  listBuyerReference,
  reverseChargeNotes,
  taxLabel,
  toBuyerParty,
  toSellerParty,
} from "./invoice-document.ts";
import { toCreditNoteEInvoice } from "./to-e-invoice.ts";

/** Returns what a credit note says. Its amounts are negative, since they reduce the invoice. */
export function toCreditNoteDocument(
  note: CreditNoteRow,
  invoice: InvoiceRow,
  settings: DocumentSettings,
): BillingDocument {
  const { number, tax_cents, total_cents, is_test, created_at, withdrawn_at } = note;
  const hasTax = tax_cents > 0 || invoice.reverse_charge;
  const netCents = tax_cents - total_cents;
  return {
    title: `Credit note ${number}`,
    number,
    isTest: is_test,
    currency: invoice.currency,
    issuedAt: created_at,
    seller: toSellerParty(invoice.seller, settings.productName),
    buyer: toBuyerParty(invoice.billed_to),
    facts: [
      { label: "Number", text: number },
      { label: "Date", text: formatDate(created_at) },
      { label: "Invoice", text: `${invoice.number} of ${formatDate(invoice.created_at)}` },
      ...(withdrawn_at
        ? [{ label: "Status", text: `withdrawn on ${formatDate(withdrawn_at)}, since the refund failed` }]
        : []),
      ...listBuyerReference(invoice),
      { label: "Currency", text: nameCurrency(invoice.currency) },
    ],
    lines: [{ label: `Refund of invoice ${invoice.number}`, cents: netCents }],
    totals: [
      { label: "Subtotal", cents: netCents },
      ...(hasTax ? [{ label: taxLabel(invoice.tax_percent), cents: -tax_cents }] : []),
    ],
    total: { label: `Total in ${invoice.currency}`, cents: -total_cents },
    settlement: [{ label: "Given back", cents: withdrawn_at ? 0 : total_cents }],
    ...toEInvoices(settings, () => toCreditNoteEInvoice(note, invoice)),
    notes: [...reverseChargeNotes(invoice), ...declaredTaxNotes(invoice, tax_cents)],
  };
}
