import type { Stripe } from "stripe";
import type { ChargeRecord, Dispute, DisputeStatus, PaymentRecords } from "../payment-records.ts";
import { fromStripeAmount, toCode } from "./stripe-amounts.ts";
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

const PAGE_SIZE = 100;

/** Creates the reader of what Stripe has. */
export function createStripeRecords(deps: StripeDeps): PaymentRecords {
  return {
    findDispute: (id) => findDispute(deps, id),
    listDisputes: (since) => listDisputes(deps, since),
    listCharges: (since, until) => listCharges(deps, since, until),
    listRefunded: (since) => listRefunded(deps, since),
  };
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

async function listDisputes({ getStripe, log }: StripeDeps, since: Date): Promise<Dispute[]> {
  const stripe = await getStripe();
  const created = { gte: toSeconds(since) };
  const disputes: Dispute[] = [];
  try {
    for await (const one of stripe.disputes.list({ created, limit: PAGE_SIZE, expand: ["data.payment_intent"] })) {
      const dispute = toDispute(one);
      if (dispute) disputes.push(dispute);
    }
    return disputes;
  } catch (error) {
    throw toPendingError(error, log);
  }
}

async function listCharges({ getStripe, log }: StripeDeps, since: Date, until: Date): Promise<ChargeRecord[]> {
  const stripe = await getStripe();
  const created = { gte: toSeconds(since), lt: toSeconds(until) };
  const charges: ChargeRecord[] = [];
  try {
    for await (const { id, amount, currency, status, payment_intent: intent, metadata } of stripe.charges.list({
      created,
      limit: PAGE_SIZE,
    }))
      if (status === "succeeded")
        // A charge carries the metadata of its payment intent.
        charges.push({
          reference: idOf(intent) ?? id,
          paymentId: paymentIdOf({ metadata }),
          amountCents: fromStripeAmount(amount, currency),
          currency: toCode(currency),
        });
    return charges;
  } catch (error) {
    throw toPendingError(error, log);
  }
}

async function listRefunded({ getStripe, log }: StripeDeps, since: Date): Promise<string[]> {
  const stripe = await getStripe();
  const references = new Set<string>();
  try {
    for await (const { payment_intent: intent } of stripe.refunds.list({
      created: { gte: toSeconds(since) },
      limit: PAGE_SIZE,
    })) {
      const reference = idOf(intent);
      if (reference !== null) references.add(reference);
    }
    return [...references];
  } catch (error) {
    throw toPendingError(error, log);
  }
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

function idOf(object: string | { id: string } | null): string | null {
  return object === null || typeof object === "string" ? object : object.id;
}

function toDispute(dispute: Stripe.Dispute): Dispute | null {
  const { id, payment_intent: intent, reason, amount, currency, balance_transactions: transactions, created } = dispute;
  // Stripe keeps its fee in the currency in which the account is settled.
  const feeCurrency = transactions.find(({ fee }) => fee !== 0)?.currency ?? currency;
  const fee = transactions.reduce((sum, one) => sum + one.fee, 0);
  const paymentId = intent === null || typeof intent === "string" ? null : paymentIdOf(intent);
  if (paymentId === null) return null;
  return {
    id,
    paymentId,
    status: STATUSES[dispute.status] ?? "open",
    reason,
    amountCents: fromStripeAmount(amount, currency),
    currency: toCode(currency),
    feeCents: fromStripeAmount(fee, feeCurrency),
    feeCurrency: toCode(feeCurrency),
    openedAt: new Date(created * 1000),
  };
}
