import type { Stripe } from "stripe";
import type { Dispute, DisputeStatus, PaymentRecords } from "../payment-records.ts";
import { isMissing, type StripeDeps, toPendingError } from "./stripe-client.ts";
import { paymentIdOf } from "./stripe-payments.ts";

/** Our states of Stripe's disputes. Those that were closed as an inquiry, or prevented, took nothing. */
const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "inquiry",
  warning_closed: "won",
  prevented: "won",
  needs_response: "open",
  under_review: "open",
  won: "won",
  lost: "lost",
};

/** Creates the reader of what began at Stripe. */
export function createStripeRecords(deps: StripeDeps): PaymentRecords {
  return { findDispute: (id) => findDispute(deps, id) };
}

async function findDispute({ getStripe, log }: StripeDeps, id: string): Promise<Dispute | null> {
  const stripe = await getStripe();
  try {
    return toDispute(await stripe.disputes.retrieve(id, { expand: ["payment_intent"] }));
  } catch (error) {
    if (isMissing(error)) return null;
    throw toPendingError(error, log);
  }
}

function toDispute(dispute: Stripe.Dispute): Dispute | null {
  const { id, payment_intent: intent, reason, amount, balance_transactions: transactions, created } = dispute;
  const paymentId = intent === null || typeof intent === "string" ? null : paymentIdOf(intent);
  if (paymentId === null) return null;
  return {
    id,
    paymentId,
    status: STATUSES[dispute.status] ?? "open",
    reason,
    amountCents: amount,
    feeCents: transactions.reduce((sum, { fee }) => sum + fee, 0),
    openedAt: new Date(created * 1000),
  };
}
