import { defineMailTemplate } from "../../../platform/mail/index.ts";

/** Tells the billing contact that the plan has ended. */
export const planEndedMail = defineMailTemplate({
  name: "plan_ended",
  kind: "subscription_ended",
  group: "dunning",
  title: "Plan ended",
  description:
    "Sent to the billing contact of an organization when its plan ends: it was canceled, or the last attempt to collect an invoice failed.",
  subject: "{{ product }}: your plan {{ plan }} has ended",
  text: "Your plan {{ plan }} has ended, and you are on the free plan now. To start again: {{ site }}/pricing",
  variables: { plan: { description: "Name of the plan.", sample: "Pro" } },
});

/** Tells subscribers that the price of their plan changes. */
export const priceChangeMail = defineMailTemplate({
  name: "price_change",
  kind: "price_change",
  group: "billing",
  title: "New price of a plan",
  description: "Sent to the billing contacts of subscribers when an admin announces the new price of their plan.",
  subject: "{{ product }}: the price of {{ plan }} changes",
  text: [
    "The price of your plan {{ plan }} changes.",
    "",
    "Until now you pay {{ old_price }}. From the first period that begins on {{ from }} or later you pay {{ new_price }}.",
    "You need not do anything to go on. If you do not want to, change or cancel the plan before that:",
    "{{ site }}/account",
  ].join("\n"),
  variables: {
    plan: { description: "Name of the plan.", sample: "Pro" },
    old_price: { description: "What the organization pays until then.", sample: "$20.00 a month" },
    new_price: { description: "What it pays afterwards.", sample: "$25.00 a month", required: true },
    from: { description: "Day from which new periods have the new price.", sample: "2026-12-28", required: true },
  },
});

/** The templates of mails about subscriptions. */
export const subscriptionMails = [planEndedMail, priceChangeMail] as const;
