import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** The receipt of a paid invoice, which is attached. */
export const receiptMail = defineMailTemplate({
  name: "receipt",
  kind: "receipt",
  group: "billing",
  title: "Receipt",
  description: "Sent to the billing address of an invoice when it is paid. The invoice is attached as PDF.",
  subject: "{{ product }}: receipt {{ number }}",
  text: [
    "Thank you. This is the receipt for invoice {{ number }}{{#is_test}} (TEST, no money moved){{/is_test}}.",
    "",
    "{{#lines}}",
    "{{ lines }}",
    "{{/lines}}",
    "{{#discount}}",
    "Discount: {{ discount }}",
    "{{/discount}}",
    "{{#tax}}",
    "Tax: {{ tax }}",
    "{{/tax}}",
    "Paid: {{ total }}",
    "",
    "{{ link }}",
  ].join("\n"),
  variables: {
    number: { description: "Number of the invoice.", sample: "F-2026-0001" },
    is_test: { description: "Whether no money moved.", sample: false },
    lines: { description: "What was bought, and for how much, in a line each.", sample: "Pro, 1 month: $20.00" },
    discount: { description: "What was taken off, if anything.", sample: "-$5.00", optional: true },
    tax: { description: "Tax in it, if any.", sample: "$2.85", optional: true },
    total: { description: "What was paid.", sample: "$17.85" },
    link: { description: "Address of the invoice.", sample: "{{ site }}/api/invoices/inv_sample/page" },
  },
});

/** The credit note of a refund, which is attached. */
export const creditNoteMail = defineMailTemplate({
  name: "credit_note",
  kind: "credit_note",
  group: "billing",
  title: "Credit note",
  description:
    "Sent to the billing address of an invoice when money of it is given back. The credit note is attached as PDF.",
  subject: "{{ product }}: credit note {{ number }}",
  text: [
    "This is the credit note {{ number }}{{#is_test}} (TEST, no money moved){{/is_test}}: {{ amount }} of invoice {{ invoice_number }} are given back.",
    "{{#tax}}",
    "Tax in it: {{ tax }}",
    "{{/tax}}",
    "",
    "{{ link }}",
  ].join("\n"),
  variables: {
    number: { description: "Number of the credit note.", sample: "C-2026-0001" },
    is_test: { description: "Whether no money moved.", sample: false },
    amount: { description: "What is given back.", sample: "$17.85" },
    invoice_number: { description: "Number of the invoice.", sample: "F-2026-0001" },
    tax: { description: "Tax in it, if any.", sample: "$2.85", optional: true },
    link: { description: "Address of the credit note.", sample: "{{ site }}/api/credit-notes/note_sample/page" },
  },
});

/** The templates of mails with documents. */
export const invoiceMails = [receiptMail, creditNoteMail] as const;
