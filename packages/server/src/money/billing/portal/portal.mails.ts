import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** Says that the last card of a plan was removed at the payment service. */
export const cardsRemovedMail = defineMailTemplate({
  name: "cards_removed",
  kind: "cards_removed",
  group: "dunning",
  title: "Last card removed",
  description:
    "Sent to the billing contact of an organization when the last card of its plan was removed at the payment service.",
  subject: "{{ product }}: {{ plan }} has no card any more",
  text: [
    "The card that ends in {{ last4 }} was removed at the payment service, and no other card pays for your plan {{ plan }}.",
    "{{#date}}The plan is charged next on {{ date }}. {{/date}}Add another card: {{ site }}/account/payment-methods",
    "If you do not want the plan any more, cancel it: {{ site }}/account",
  ].join("\n"),
  variables: {
    last4: { description: "Last four digits of the card.", sample: "4242" },
    plan: { description: "Name of the plan.", sample: "Pro" },
    date: { description: "Day of the next charge.", sample: "1 Dec 2026", optional: true },
  },
});

/** The templates of mails about changes at the payment service. */
export const portalMails = [cardsRemovedMail] as const;
