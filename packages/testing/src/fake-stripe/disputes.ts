import { type Dispute, getObject, type Store } from "./store.ts";

/** What Stripe keeps for each dispute, in the currency of the charge, in which the stand-in settles it too. */
const FEE_CENTS = 1500;

/** Opens a dispute of a payment, as the bank of the holder of the card does, which takes the money and a fee. */
export function openDispute(
  store: Store,
  paymentIntent: string,
  { amount, isInquiry = false }: { amount?: number; isInquiry?: boolean } = {},
): Dispute {
  const intent = getObject(store.paymentIntents, "payment_intent", paymentIntent);
  const charge = getObject(store.charges, "charge", intent.latest_charge ?? "");
  const dispute: Dispute = {
    id: store.nextId("dp"),
    object: "dispute",
    amount: amount ?? charge.amount - charge.amount_refunded,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: intent.id,
    status: isInquiry ? "warning_needs_response" : "needs_response",
    reason: "fraudulent",
    balance_transactions: [],
    evidence: {},
    evidence_details: { enhanced_eligibility: {}, has_evidence: false, past_due: false, submission_count: 0 },
    enhanced_eligibility_types: [],
    is_charge_refundable: isInquiry,
    metadata: {},
    livemode: false,
    created: store.seconds(),
  };
  if (!isInquiry) move(store, dispute, -dispute.amount, FEE_CENTS);
  charge.disputed = true;
  store.disputes.set(dispute.id, dispute);
  store.emit("charge.dispute.created", dispute);
  return dispute;
}

/** Closes a dispute: one that is won brings the money back, without the fee. */
export function closeDispute(store: Store, id: string, status: "won" | "lost" | "warning_closed"): void {
  const dispute = getObject(store.disputes, "dispute", id);
  if (status === "won") move(store, dispute, dispute.amount, 0);
  dispute.status = status;
  store.emit("charge.dispute.closed", dispute);
}

/** Returns what lost disputes took from the balance in a currency, and the fees of all. Open ones may still bring it back. */
export function lostCents(store: Store, currency: string): number {
  const disputes = [...store.disputes.values()].filter((dispute) => dispute.currency === currency);
  return disputes.reduce((sum, { status, amount, balance_transactions }) => {
    const fees = balance_transactions.reduce((total, { fee }) => total + fee, 0);
    return sum + fees + (status === "lost" ? amount : 0);
  }, 0);
}

function move(store: Store, dispute: Dispute, amount: number, fee: number): void {
  const now = store.seconds();
  dispute.balance_transactions.push({
    id: store.nextId("txn"),
    object: "balance_transaction",
    type: "adjustment",
    amount,
    fee,
    net: amount - fee,
    currency: dispute.currency,
    created: now,
    available_on: now,
    balance_type: "payments",
    fee_details:
      fee > 0
        ? [{ amount: fee, currency: dispute.currency, application: null, description: null, type: "stripe_fee" }]
        : [],
    reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
    status: "available",
  });
}
