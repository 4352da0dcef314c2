import { type Html, html } from "../html.ts";
import { formatUsd } from "../invoices/postings.ts";
import type { BillingDocument, Party } from "./billing-document.ts";

/** Renders an invoice as a page to print, with links to the same as PDF and, if there is one, as an e-invoice beside it. */
export function documentPage(document: BillingDocument): Html {
  const { title, isTest, seller, buyer, facts, lines, totals, total, settlement, notes } = document;
  return html`${testNotice(isTest)}
<h1>${title}</h1>
<p class="screen-only"><a href="pdf">Download as PDF</a>${xmlLink(document)}</p>
<table>
<tbody>
${partyRow("From", seller)}
${partyRow("To", buyer)}
${facts.map(({ label, text }) => html`<tr><th scope="row">${label}</th><td>${text}</td></tr>`)}
</tbody>
</table>
<h2>Items</h2>
<table>
<tbody>
${lines.map(({ label, cents }) => amountRow(label, cents))}
</tbody>
<tfoot>
${totals.map(({ label, cents }) => amountRow(label, cents))}
${amountRow(total.label, total.cents)}
</tfoot>
</table>
${
  settlement.length === 0
    ? null
    : html`<table>
<tbody>
${settlement.map(({ label, cents }) => amountRow(label, cents))}
</tbody>
</table>`
}
${notes.map((note) => html`<p>${note}</p>`)}`;
}

function xmlLink({ ubl }: BillingDocument): Html | null {
  return ubl && html` · <a href="xml">Download as e-invoice (XML)</a>`;
}

/** Renders the note that no money moves; null for real payments. */
export function testNotice(isTest: boolean): Html | null {
  return isTest ? html`<p class="test"><strong>TEST</strong> From the built-in test driver: no money moves.</p>` : null;
}

/** Renders a table row with a label and an amount. */
export function amountRow(label: string, cents: number): Html {
  return html`<tr><td>${label}</td><td>${formatUsd(cents)}</td></tr>`;
}

function partyRow(label: string, { name, details }: Party): Html {
  return html`<tr><th scope="row">${label}</th><td>${name}${details.map((line) => html`<br>${line}`)}</td></tr>`;
}
