/** Pages, PDFs and e-invoices of what is billed. They know nothing of how it is billed. */
export type { Amount, BillingDocument, DocumentSettings, Fact, Party } from "./billing-document.ts";
export { amountRow, documentPage, testNotice } from "./document-page.ts";
export type { EInvoice, EInvoiceParty } from "./e-invoice/e-invoice.ts";
export { isXRechnung, toUbl } from "./e-invoice/ubl.ts";
export { type Html, html, sendPage } from "./html.ts";
export { drawDocument } from "./pdf/draw-document.ts";
export { sendPdf } from "./send-pdf.ts";
