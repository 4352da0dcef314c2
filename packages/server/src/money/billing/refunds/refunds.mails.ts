import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** Tells the billing contact that a refund ended the plan. */
export const planRefundedMail = defineMailTemplate({
  name: "plan_refunded",
  kind: "subscription_ended",
  group: "billing",
  title: "Plan ended by a refund",
  description:
    "Sent to the billing contact of an organization when an admin gives money back and ends the plan with that.",
  subject: "{{ product }}: your plan {{ plan }} has ended",
  text: [
    "{{ amount }} of invoice {{ number }} were given back, and your plan {{ plan }} ended with that. You are on the free plan now.",
    "{{#kept_amount}}",
    "{{ kept_amount }} for time that you paid for besides and did not use are kept for your next invoices.",
    "{{/kept_amount}}",
    "",
    "To start again: {{ site }}/pricing",
  ].join("\n"),
  variables: {
    plan: { description: "Name of the plan.", sample: "Pro" },
    amount: { description: "What was given back.", sample: "$20.00" },
    number: { description: "Number of the invoice.", sample: "F-2026-0001" },
    kept_amount: { description: "What is kept for the next invoices, if anything.", sample: "$7.50", optional: true },
  },
});

/** Tells admins that a refund did not arrive. */
export const refundFailedMail = defineMailTemplate({
  name: "refund_failed",
  kind: "refund_failed",
  group: "operations",
  title: "Refund failed",
  description: "Sent to the admins of this site when the bank of a card does not take a refund.",
  subject: "{{ product }}: a refund failed",
  text: [
    "A refund of {{ amount }} of {{#number}}invoice {{ number }}{{/number}}{{^number}}payment {{ payment }}{{/number}} failed: the bank of the card did not take it.",
    "The money is on your account at the payment service, and the invoice counts as paid again. Credits were granted again.",
    "Give it back in another way, or try it again.",
  ].join("\n"),
  variables: {
    amount: { description: "Amount of the refund.", sample: "$20.00" },
    number: {
      description: "Number of the invoice; none if the payment has none.",
      sample: "F-2026-0001",
      optional: true,
    },
    payment: { description: "Id of the payment.", sample: "pay_sample" },
  },
});

/** Tells admins that a payment was charged in another currency. */
export const otherCurrencyMail = defineMailTemplate({
  name: "other_currency",
  kind: "payments_differ",
  group: "operations",
  title: "Payment in another currency",
  description: "Sent to the admins of this site when the payment service charged a payment in another currency.",
  subject: "{{ product }}: a payment was charged in another currency",
  text: [
    "The payment {{ payment }} over {{ amount }} was charged in {{ charged_currency }} at the payment service.",
    "It is not posted here, and counts as failed. Give it back at the payment service.",
  ].join("\n"),
  variables: {
    payment: { description: "Id of the payment.", sample: "pay_sample" },
    amount: { description: "What was to be charged.", sample: "€20.00" },
    charged_currency: { description: "The currency in which it was charged.", sample: "USD" },
  },
});

/** The templates of mails about refunds. */
export const refundMails = [planRefundedMail, refundFailedMail, otherCurrencyMail] as const;
