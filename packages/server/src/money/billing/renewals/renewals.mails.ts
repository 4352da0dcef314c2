import { defineMailTemplate } from "../../../platform/mail/index.ts";

const CHARGE = [
  "Then {{ price }} is charged{{#last4}} to the card that ends in {{ last4 }}{{/last4}}, less coupons and what is kept for you, plus tax.",
  "If you do not want that, cancel before: {{ site }}/account",
].join("\n");
const CHARGE_VARIABLES = {
  plan: { description: "Name of the plan.", sample: "Pro" },
  date: { description: "Day of the charge.", sample: "2026-12-01", required: true },
  price: { description: "What is charged, without coupons and tax.", sample: "$20.00 a month", required: true },
  last4: { description: "Last four digits of the card; none without a card.", sample: "4242", optional: true },
} as const;

/** Announces the charge at the end of a trial. */
export const trialEndingMail = defineMailTemplate({
  name: "trial_ending",
  kind: "trial_ending",
  group: "billing",
  title: "Trial ends soon",
  description: "Sent to the billing contact of an organization three days before its trial ends and is charged.",
  subject: "{{ product }}: your trial of {{ plan }} ends soon",
  text: `Your trial of {{ plan }} ends on {{ date }}.\n${CHARGE}`,
  variables: CHARGE_VARIABLES,
});

/** Announces the charge of a yearly renewal. */
export const renewalAheadMail = defineMailTemplate({
  name: "renewal_ahead",
  kind: "renewal_ahead",
  group: "billing",
  title: "Yearly renewal",
  description: "Sent to the billing contact of an organization seven days before its yearly plan is renewed.",
  subject: "{{ product }}: {{ plan }} is renewed soon",
  text: `Your plan {{ plan }} is renewed on {{ date }} for another year.\n${CHARGE}`,
  variables: CHARGE_VARIABLES,
});

/** Says that the card of a plan expires. */
export const cardExpiringMail = defineMailTemplate({
  name: "card_expiring",
  kind: "card_expiring",
  group: "dunning",
  title: "Card expires soon",
  description: "Sent to the billing contact of an organization in the 30 days before the card of its plan expires.",
  subject: "{{ product }}: your card expires soon",
  text: [
    "The card that ends in {{ last4 }} pays for your plan {{ plan }}, and expires at the end of {{ expiry }}.",
    "Add another card before, so that the plan goes on: {{ site }}/account/payment-methods",
  ].join("\n"),
  variables: {
    last4: { description: "Last four digits of the card.", sample: "4242" },
    plan: { description: "Name of the plan.", sample: "Pro" },
    expiry: { description: "Month in which the card expires.", sample: "12/2026" },
  },
});

/** Asks for the address without which the tax of a plan cannot be calculated. */
export const taxAddressMail = defineMailTemplate({
  name: "tax_address",
  kind: "tax_address",
  group: "dunning",
  title: "Address for the tax is missing",
  description:
    "Sent to the billing contact of an organization when its plan cannot be renewed because the tax depends on its address.",
  subject: "{{ product }}: your address is needed to renew {{ plan }}",
  text: [
    "Your plan {{ plan }} was to be renewed on {{ date }}. The tax depends on your address, which is missing or not complete.",
    "Enter country and postal code here, and the plan is renewed: {{ site }}/account#billing-details",
  ].join("\n"),
  variables: {
    plan: { description: "Name of the plan.", sample: "Pro" },
    date: { description: "Day on which the period ended.", sample: "1 Dec 2026" },
  },
});

/** The templates of mails about renewals. */
export const renewalMails = [trialEndingMail, renewalAheadMail, cardExpiringMail, taxAddressMail] as const;
