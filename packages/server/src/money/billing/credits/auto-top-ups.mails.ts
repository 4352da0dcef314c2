import { defineMailTemplate } from "../../../platform/mail/index.ts";

const SHARED = { kind: "auto_top_up", group: "billing" } as const;

/** Says that nothing is bought automatically any more, and why. */
export const autoTopUpPausedMail = defineMailTemplate({
  ...SHARED,
  name: "auto_top_up_paused",
  title: "Automatic top-up paused",
  description: "Sent to the admins of an organization when credits cannot be bought automatically.",
  subject: "{{ product }}: the automatic top-up is paused",
  text: [
    "Credits could not be bought automatically: {{#is_declined}}the card was declined{{/is_declined}}{{#is_not_confirmed}}your bank wanted a confirmation, and there was none{{/is_not_confirmed}}{{#has_no_card}}there is no card{{/has_no_card}}{{#has_no_address}}the tax depends on your address, which is missing or not complete{{/has_no_address}}{{#is_refunded}}a payment for credits was given back{{/is_refunded}}{{#is_disputed}}a payment is disputed at your bank{{/is_disputed}}.",
    "",
    "Nothing is bought until you switch it on again. Calls are refused when the credits are used up.",
    "",
    "{{#has_no_address}}Enter country and postal code here: {{ site }}/account#billing-details{{/has_no_address}}{{^has_no_address}}Look after your card here: {{ site }}/account/payment-methods{{/has_no_address}}",
    "",
    "Then switch it on again: {{ site }}/account#credits",
  ].join("\n"),
  variables: {
    is_declined: { description: "Whether the card was declined.", sample: true },
    is_not_confirmed: { description: "Whether a confirmation for the bank is missing.", sample: false },
    has_no_card: { description: "Whether there is no card.", sample: false },
    has_no_address: { description: "Whether the address is missing on which the tax depends.", sample: false },
    is_refunded: { description: "Whether a payment for credits was given back.", sample: false },
    is_disputed: { description: "Whether a payment is disputed.", sample: false },
  },
});

/** Asks for the confirmation of an automatic payment. */
export const autoTopUpConfirmationMail = defineMailTemplate({
  ...SHARED,
  name: "auto_top_up_confirmation",
  title: "Automatic top-up to be confirmed",
  description: "Sent to the admins of an organization when a bank wants a confirmation of an automatic payment.",
  subject: "{{ product }}: confirm the automatic top-up",
  text: [
    "Credits were to be bought automatically, and your bank wants you to confirm it.",
    "",
    "{{#confirm_link}}Confirm the payment here: {{ confirm_link }}{{/confirm_link}}{{^confirm_link}}Buy credits here instead: {{ site }}/account#credits{{/confirm_link}}",
    "",
    "Without a confirmation within a day, the automatic top-up is paused.",
  ].join("\n"),
  variables: {
    confirm_link: {
      description: "Link by which the payment is confirmed, if there is one.",
      sample: "https://payments.example.com/confirm/sample",
      optional: true,
      required: true,
    },
  },
});

/** Says that the limit of the month keeps credits from being bought. */
export const autoTopUpLimitMail = defineMailTemplate({
  ...SHARED,
  name: "auto_top_up_limit",
  title: "Limit of automatic top-ups reached",
  description: "Sent to the admins of an organization, once a month, when its limit of automatic payments is reached.",
  subject: "{{ product }}: the automatic top-up has reached its limit",
  text: [
    "The credits are low. Another automatic payment would exceed your limit of {{ limit }} a month, so none is made.",
    "",
    "Calls are refused when the credits are used up.",
    "",
    "Raise the limit, or buy credits: {{ site }}/account#credits",
  ].join("\n"),
  variables: { limit: { description: "The limit of a month.", sample: "$100.00" } },
});

/** The templates of mails about automatic top-ups. */
export const autoTopUpMails = [autoTopUpPausedMail, autoTopUpConfirmationMail, autoTopUpLimitMail] as const;
