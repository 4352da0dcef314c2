import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** Tells the billing contact that an invoice could not be collected and when it is tried again. */
export const paymentFailedMail = defineMailTemplate({
  name: "payment_failed",
  kind: "payment_failed",
  group: "dunning",
  title: "Payment failed",
  description:
    "Sent to the billing contact of an organization after each attempt to collect an invoice that fails, except the last.",
  subject: "{{ product }}: invoice {{ number }} could not be paid",
  text: [
    "Invoice {{ number }} over {{ amount }} could not be paid: {{#is_declined}}the card was declined{{/is_declined}}{{#is_card_gone}}the payment service no longer has the card, so add it again{{/is_card_gone}}{{#is_currency_refused}}the payment service does not charge cards in {{ currency }} here{{/is_currency_refused}}{{#is_other_currency}}the payment service charged another currency{{/is_other_currency}}{{#has_no_card}}there is no card{{/has_no_card}}{{#is_unconfirmed}}your bank wants you to confirm it{{/is_unconfirmed}}.",
    "{{#confirm_link}}",
    "Confirm the payment here: {{ confirm_link }}",
    "{{/confirm_link}}",
    "{{^confirm_link}}",
    "Look after your card here: {{ site }}/account/payment-methods",
    "{{/confirm_link}}",
    "Unless it is paid before, it is tried again on {{ retry_date }}.",
  ].join("\n"),
  variables: {
    number: { description: "Number of the invoice.", sample: "F-2026-0001" },
    amount: { description: "Amount of the invoice.", sample: "$20.00" },
    is_declined: { description: "Whether the card was declined.", sample: true },
    is_card_gone: { description: "Whether the payment service no longer has the card.", sample: false },
    is_currency_refused: {
      description: "Whether the payment service does not charge cards in the currency.",
      sample: false,
    },
    is_other_currency: { description: "Whether the payment service charged another currency.", sample: false },
    currency: { description: "Currency of the invoice.", sample: "USD" },
    has_no_card: { description: "Whether there is no card.", sample: false },
    is_unconfirmed: { description: "Whether the bank wants the buyer to confirm it.", sample: false },
    confirm_link: {
      description: "Link by which the payment is confirmed, if the bank asks for that.",
      sample: null,
      optional: true,
      required: true,
    },
    retry_date: { description: "Day of the next attempt.", sample: "2026-12-01" },
  },
});

/** The templates of mails about unpaid invoices. */
export const dunningMails = [paymentFailedMail] as const;
