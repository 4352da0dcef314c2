import { defineMailTemplate } from "../../../platform/mail/index.ts";

const SHARED = { kind: "payment_disputed", group: "operations" } as const;
const NAME = "{{#number}}invoice {{ number }}{{/number}}{{^number}}payment {{ payment }}{{/number}}";
const VARIABLES = {
  number: {
    description: "Number of the invoice; none if the payment has none.",
    sample: "F-2026-0001",
    optional: true,
  },
  payment: { description: "Id of the payment.", sample: "pay_sample" },
  amount: { description: "What is disputed.", sample: "$20.00" },
  fee: { description: "What the payment service charges for the dispute.", sample: "$15.00" },
  reason: { description: "The reason, as the payment service names it.", sample: "fraudulent" },
  unposted_fee_currency: {
    description: "Currency of the fee, if it has no rate here, so that the fee is not in the ledger.",
    sample: null,
    optional: true,
  },
  held_credits: {
    description: "Credits that are frozen, or taken if the dispute is lost; none if there are none.",
    sample: "$20.00" as string | null,
    optional: true,
  },
} as const;
const WITHOUT_CREDITS: typeof VARIABLES = { ...VARIABLES, held_credits: { ...VARIABLES.held_credits, sample: null } };

/** Returns the text of a mail about a dispute: what happened, the amount, and what becomes of credits. */
const toText = (event: string, credits: "frozen for" | "taken from") =>
  [
    event,
    "Amount: {{ amount }}. Fee: {{ fee }}. Reason: {{ reason }}.",
    "{{#unposted_fee_currency}}",
    "The fee is not in the ledger, since {{ unposted_fee_currency }} is not switched on here and has no rate.",
    "{{/unposted_fee_currency}}",
    "{{#held_credits}}",
    `Credits of {{ held_credits }} are ${credits} the organization.`,
    "{{/held_credits}}",
  ].join("\n");

/** Tells admins that a bank asks about a payment. */
export const disputeInquiryMail = defineMailTemplate({
  ...SHARED,
  name: "dispute_inquiry",
  title: "Bank asks about a payment",
  description: "Sent to the admins of this site when a bank asks about a payment, before it takes money.",
  subject: "{{ product }}: a bank asks about a payment",
  text: toText(
    `A bank asks about the payment of ${NAME}. It takes no money yet. Answer it at the payment service.`,
    "frozen for",
  ),
  variables: VARIABLES,
});

/** Tells admins that a payment is disputed. */
export const disputeOpenedMail = defineMailTemplate({
  ...SHARED,
  name: "dispute_opened",
  title: "Payment disputed",
  description: "Sent to the admins of this site when the holder of a card disputes a payment.",
  subject: "{{ product }}: a payment is disputed",
  text: toText(
    `The payment of ${NAME} is disputed by the holder of the card. Answer it at the payment service.`,
    "frozen for",
  ),
  variables: VARIABLES,
});

/** Tells admins that a dispute was won. */
export const disputeWonMail = defineMailTemplate({
  ...SHARED,
  name: "dispute_won",
  title: "Dispute won",
  description: "Sent to the admins of this site when a bank decides a dispute for it.",
  subject: "{{ product }}: a disputed payment stays yours",
  text: toText(
    `The dispute of ${NAME} is closed, and the money stays yours. Frozen credits were released.`,
    "frozen for",
  ),
  variables: WITHOUT_CREDITS,
});

/** Tells admins that a dispute was lost. */
export const disputeLostMail = defineMailTemplate({
  ...SHARED,
  name: "dispute_lost",
  title: "Dispute lost",
  description: "Sent to the admins of this site when a bank decides a dispute for the holder of the card.",
  subject: "{{ product }}: a disputed payment was taken back",
  text: toText(
    `The dispute of ${NAME} is lost, and the bank has taken the money. The plan stays until you end it.`,
    "taken from",
  ),
  variables: VARIABLES,
});

/** The templates of mails about disputes. */
export const disputeMails = [disputeInquiryMail, disputeOpenedMail, disputeWonMail, disputeLostMail] as const;
