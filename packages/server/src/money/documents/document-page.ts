import { formatMoney } from "../currencies/index.ts";
import type { Amount, BillingDocument, Party } from "./billing-document.ts";
import { type Html, html } from "./html.ts";

/** Renders an invoice as a page to print, with links to the same as PDF and, if there is one, as an e-invoice beside it. */
export function documentPage(document: BillingDocument): Html {
  const { title, isTest, currency, seller, buyer, facts, lines, totals, total, settlement, notes } = document;
  const toRow = ({ label, cents }: Amount) => amountRow(label, formatMoney(cents, currency));
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
${lines.map(toRow)}
</tbody>
<tfoot>
${totals.map(toRow)}
${toRow(total)}
</tfoot>
</table>
${
  settlement.length === 0
    ? null
    : html`<table>
<tbody>
${settlement.map(toRow)}
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
export function amountRow(label: string, amount: string): Html {
  return html`<tr><td>${label}</td><td>${amount}</td></tr>`;
}

function partyRow(label: string, { name, details }: Party): Html {
  return html`<tr><th scope="row">${label}</th><td>${name}${details.map((line) => html`<br>${line}`)}</td></tr>`;
}
