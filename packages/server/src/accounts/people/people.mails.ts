import { defineMailTemplate } from "../../platform/mail/index.ts";

/** Tells the billing contact which plan an admin gave the organization. */
export const planGrantedMail = defineMailTemplate({
  name: "plan_granted",
  kind: "plan_granted",
  group: "billing",
  title: "Plan given by an admin",
  description: "Sent to the billing contact of an organization that an admin puts on a plan.",
  subject: "{{ product }}: you are on the plan {{ plan }} now",
  text: [
    "An admin put your organization on the {{#is_free}}free {{/is_free}}plan{{#is_free}},{{/is_free}} {{ plan_with_quantity }}.",
    "{{^is_free}}",
    "It costs nothing and has no end date.",
    "{{/is_free}}",
    "{{#ended_plan}}",
    "Your plan {{ ended_plan }} ended with that, and is not charged any more.",
    "{{/ended_plan}}",
    "{{#kept_amount}}",
    "You had paid for it until {{ paid_until }}. {{ kept_amount }} of that is for time you did not use: it is kept for your next invoices.",
    "{{/kept_amount}}",
    "{{#balance}}",
    "Together with what was kept before, that is {{ balance }}.",
    "{{/balance}}",
    "",
    "Your plan: {{ site }}/account",
  ].join("\n"),
  variables: {
    plan: { description: "Name of the plan.", sample: "Pro" },
    plan_with_quantity: { description: "Name of the plan, and how many of it if more than one.", sample: "Pro × 2" },
    is_free: { description: "Whether it is the free plan.", sample: false },
    ended_plan: { description: "Name of the plan that ended, if any.", sample: "Basic", optional: true },
    paid_until: {
      description: "Until when the ended plan was paid, if that is kept.",
      sample: "2026-12-24",
      optional: true,
    },
    kept_amount: { description: "What is kept of the ended plan, if anything.", sample: "$12.50", optional: true },
    balance: {
      description: "What is kept in all, if something was kept before.",
      sample: "$20.00",
      optional: true,
    },
  },
});

const ADMIN_VARIABLES = {
  admin: { description: "Address of the admin who did it.", sample: "ada@example.com", optional: true },
  email: { description: "Address of the account.", sample: "maria@example.com" },
  ip: { description: "IP address from which it was done, if known.", sample: "203.0.113.7", optional: true },
} as const;
const CHECK = "If that was not meant to be, change it, and look at the audit log: {{ site }}/admin/users";

/** Tells admins that there is another admin. */
export const adminAddedMail = defineMailTemplate({
  name: "admin_added",
  kind: "account_security",
  group: "operations",
  title: "New admin",
  description: "Sent to the admins of this site, and to the new one.",
  subject: "A new admin at {{ product }}",
  text: `{{#admin}}{{ admin }}{{/admin}}{{^admin}}An admin{{/admin}} has made {{ email }} an admin of {{ product }}{{#ip}}, from {{ ip }}{{/ip}}. ${CHECK}`,
  variables: ADMIN_VARIABLES,
});

/** Tells admins that there is one admin fewer. */
export const adminRemovedMail = defineMailTemplate({
  name: "admin_removed",
  kind: "account_security",
  group: "operations",
  title: "One admin fewer",
  description: "Sent to the admins of this site, and to the one who is none any more.",
  subject: "One admin fewer at {{ product }}",
  text: `{{#admin}}{{ admin }}{{/admin}}{{^admin}}An admin{{/admin}} has taken admin rights from {{ email }} of {{ product }}{{#ip}}, from {{ ip }}{{/ip}}. ${CHECK}`,
  variables: ADMIN_VARIABLES,
});

/** The templates of mails about what admins do with accounts. */
export const peopleMails = [planGrantedMail, adminAddedMail, adminRemovedMail] as const;
