import { type Html, html } from "../html.ts";
import { formatDate } from "../quote.ts";
import { billedToSchema } from "../stored.schemas.ts";
import { type InvoiceRow, linesOf } from "./invoices.repository.ts";
import { formatUsd } from "./postings.ts";

const STATUS_LABELS: Record<string, string> = {
  open: "to be paid",
  paid: "paid",
  uncollectible: "not paid",
  void: "void",
};

/** Renders an invoice as a page to print. */
export function invoicePage(invoice: InvoiceRow, productName: string): Html {
  const { name, email } = billedToSchema.parse(invoice.billed_to);
  const { period_start_date: start, period_end_date: end, paid_at } = invoice;
  return html`${testNotice(invoice.is_test)}
<h1>Invoice ${invoice.number}</h1>
<table>
<tbody>
<tr><th scope="row">From</th><td>${productName}</td></tr>
<tr><th scope="row">To</th><td>${name}${name && email ? ", " : ""}${email}</td></tr>
<tr><th scope="row">Date</th><td>${formatDate(invoice.created_at)}</td></tr>
${start && end ? html`<tr><th scope="row">For</th><td>${formatDate(start)} to ${formatDate(end)}</td></tr>` : null}
<tr><th scope="row">Status</th><td>${STATUS_LABELS[invoice.status] ?? invoice.status}${paid_at ? ` on ${formatDate(paid_at)}` : ""}</td></tr>
</tbody>
</table>
<h2>Items</h2>
<table>
<tbody>
${linesOf(invoice).map((line) => amountRow(line.description, line.amount_cents))}
</tbody>
<tfoot>
${invoice.discount_cents > 0 ? amountRow(couponLabel(invoice), -invoice.discount_cents) : null}
${invoice.tax_cents > 0 ? amountRow("Tax", invoice.tax_cents) : null}
${invoice.refunded_cents > 0 ? amountRow("Given back", -invoice.refunded_cents) : null}
${invoice.dispute_status === "open" ? amountRow("Disputed, not decided yet", -invoice.disputed_cents) : null}
${invoice.dispute_status === "lost" ? amountRow("Taken back by the bank after a dispute", -invoice.disputed_cents) : null}
${amountRow("Total in USD", invoice.total_cents)}
</tfoot>
</table>`;
}

/** Renders the note that no money moves; null for real payments. */
export function testNotice(isTest: boolean): Html | null {
  return isTest ? html`<p class="test"><strong>TEST</strong> From the built-in test driver: no money moves.</p>` : null;
}

/** Renders a table row with a label and an amount. */
export function amountRow(label: string, cents: number): Html {
  return html`<tr><td>${label}</td><td>${formatUsd(cents)}</td></tr>`;
}

function couponLabel({ coupon_code }: InvoiceRow): string {
  return coupon_code === null ? "Discount" : `Coupon ${coupon_code}`;
}
