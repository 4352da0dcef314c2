import { checkDigits } from "./amounts.ts";
import { invalid } from "./errors.ts";
import { type Params, textOf } from "./form.ts";
import { getObject, type Refund, type Store } from "./store.ts";

/** `POST /v1/refunds` */
export function createRefund(store: Store, params: Params): Refund {
  const id = textOf(params, "payment_intent") ?? "";
  const intent = getObject(store.paymentIntents, "payment_intent", id, "payment_intent");
  if (intent.latest_charge === null)
    throw invalid("payment_intent", "This PaymentIntent does not have a successful charge to refund.");
  const charge = getObject(store.charges, "charge", intent.latest_charge);
  const disputes = [...store.disputes.values()].filter((dispute) => dispute.charge === charge.id);
  if (disputes.some(({ status }) => ["needs_response", "under_review", "lost"].includes(status)))
    throw invalid(
      "payment_intent",
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      "charge_disputed",
    );
  const left = charge.amount - charge.amount_refunded;
  if (left === 0)
    throw invalid("payment_intent", `Charge ${charge.id} has already been refunded.`, "charge_already_refunded");
  const amount = Number(textOf(params, "amount") ?? left);
  if (amount > left) throw invalid("amount", `Refund amount is greater than unrefunded amount on charge ($${left}).`);
  checkDigits(amount, charge.currency);
  const refund: Refund = {
    id: store.nextId("re"),
    object: "refund",
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: intent.id,
    status: "succeeded",
    created: store.seconds(),
  };
  store.refunds.set(refund.id, refund);
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  store.emit("charge.refunded", charge);
  return refund;
}

/** What the bank reports later: that the card no longer takes the money of a refund, which returns to the balance. */
export function failRefund(store: Store, id: string): void {
  const refund = getObject(store.refunds, "refund", id);
  const charge = getObject(store.charges, "charge", refund.charge);
  Object.assign(refund, { status: "failed", failure_reason: "expired_or_canceled_card" });
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  store.emit("refund.updated", refund);
  store.emit("refund.failed", refund);
}
