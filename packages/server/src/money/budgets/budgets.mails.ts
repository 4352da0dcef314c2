import { defineMailTemplate } from "../../platform/mail/index.ts";

const SHARED = { group: "organization" } as const;
const VARIABLES = {
  member: {
    description: "Name of the member whose budget it is; none if it is the organization's.",
    sample: "Maria",
    optional: true,
  },
  organization: { description: "Name of the organization.", sample: "Acme" },
  spent: { description: "What was spent in this period.", sample: "$80.00" },
  amount: { description: "The budget.", sample: "$100.00" },
  is_hard: { description: "Whether calls are refused when the budget is used up.", sample: true },
  resets_at: {
    description: "When the budget begins anew; none if it does not.",
    sample: "2026-12-01T00:00:00.000Z",
    optional: true,
  },
} as const;
const OWNER = "{{#member}}{{ member }} in {{/member}}{{ organization }}";
const SPENT = "{{ spent }} of {{ amount }} are spent.";
const END = [
  "",
  "{{#resets_at}}It resets at {{ resets_at }}.{{/resets_at}}{{^resets_at}}The budget does not reset.{{/resets_at}}",
  "",
  "To see or change it: {{ site }}/account/organization",
].join("\n");
const ALERTS_ONLY = "Calls go on: this budget only alerts.";
const REFUSED = "Calls for which too little of it is left are refused until it resets or is raised.";

/** Tells that a budget has reached the percentage of its warning. */
export const budgetWarningMail = defineMailTemplate({
  ...SHARED,
  name: "budget_warning",
  kind: "budget_warning",
  title: "Budget nearly used up",
  description: "Sent to the admins of an organization, and to the member whose budget it is, at its percentage.",
  subject: `{{ product }}: the budget of ${OWNER} has reached {{ percent }} %`,
  text: [
    `The budget of ${OWNER} has reached {{ percent }} %: ${SPENT}`,
    "",
    `{{#is_hard}}Calls that could exceed it are refused.{{/is_hard}}{{^is_hard}}${ALERTS_ONLY}{{/is_hard}}`,
    END,
  ].join("\n"),
  variables: { ...VARIABLES, percent: { description: "Percentage that was reached.", sample: "80" } },
});

/** Tells that a budget is used up. */
export const budgetReachedMail = defineMailTemplate({
  ...SHARED,
  name: "budget_reached",
  kind: "budget_reached",
  title: "Budget used up",
  description: "Sent to the admins of an organization, and to the member whose budget it is, when it is used up.",
  subject: `{{ product }}: the budget of ${OWNER} is used up`,
  text: [
    `The budget of ${OWNER} is used up: ${SPENT}`,
    "",
    `{{#is_hard}}${REFUSED}{{/is_hard}}{{^is_hard}}${ALERTS_ONLY}{{/is_hard}}`,
    END,
  ].join("\n"),
  variables: VARIABLES,
});

/** Tells that a call was refused because of a budget. */
export const budgetRefusedMail = defineMailTemplate({
  ...SHARED,
  name: "budget_refused",
  kind: "budget_reached",
  title: "Call refused by a budget",
  description: "Sent to the admins of an organization, and to the member whose budget it is, when it refuses a call.",
  subject: `{{ product }}: the budget of ${OWNER} refused a call`,
  text: [
    `The budget of ${OWNER} refused a call: ${SPENT}`,
    "",
    `{{#is_hard}}The call could have cost more than what is left. ${REFUSED}{{/is_hard}}{{^is_hard}}${ALERTS_ONLY}{{/is_hard}}`,
    END,
  ].join("\n"),
  variables: VARIABLES,
});

/** The templates of mails about budgets. */
export const budgetMails = [budgetWarningMail, budgetReachedMail, budgetRefusedMail] as const;
