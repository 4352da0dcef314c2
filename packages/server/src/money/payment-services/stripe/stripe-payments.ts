import type { Stripe } from "stripe";
import { errors } from "../../../platform/core/errors/index.ts";
import { HOUR_MS } from "../../../platform/core/time.ts";
import type { Charge, PaymentEvent, PaymentKey } from "../payment-driver.ts";
import { fromStripeAmount, toCode, toStripeAmount } from "./stripe-amounts.ts";
import { parseCardReference } from "./stripe-cards.ts";
import { asStripeError, isMissing, type StripeDeps, toPendingError } from "./stripe-client.ts";

type Intent = Stripe.PaymentIntent;

/** The name under which a payment intent carries the id of our payment. */
const PAYMENT_ID = "payment_id";
/** How much later than ours Stripe's clock may be when a payment is looked for. */
const CLOCK_TOLERANCE_MS = HOUR_MS;
const PAGE_SIZE = 100;

/** Charges a payment, or returns the state of one that was charged before. */
export async function chargePayment(deps: StripeDeps, charge: Charge): Promise<PaymentEvent> {
  try {
    const intent =
      charge.reference === null ? await createIntent(deps, charge) : await retrieve(deps, charge.reference);
    return toEvent(charge.paymentId, needsBuyer(intent) ? await askBuyer(deps, charge, intent) : intent);
  } catch (error) {
    const code = findRefusalCode(error);
    if (code !== null) return toFailure(charge.paymentId, code);
    throw toPendingError(error, deps.log);
  }
}

/** Returns the state of a payment; null if Stripe does not know it. */
export async function findPayment(deps: StripeDeps, key: PaymentKey): Promise<PaymentEvent | null> {
  try {
    const intent = await findIntent(deps, key);
    return intent && toEvent(key.paymentId, intent);
  } catch (error) {
    if (isMissing(error)) return null;
    throw toPendingError(error, deps.log);
  }
}

/** Cancels a payment that waits for its buyer. One that was never charged counts as canceled. */
export async function cancelPayment(deps: StripeDeps, key: PaymentKey): Promise<PaymentEvent> {
  const stripe = await deps.getStripe();
  try {
    const intent = await findIntent(deps, key);
    if (!intent) return toFailure(key.paymentId, "canceled");
    const canceled = await stripe.paymentIntents.cancel(intent.id).catch((error: unknown) => {
      if (asStripeError(error)?.code === "payment_intent_unexpected_state") return retrieve(deps, intent.id);
      throw error;
    });
    return toEvent(key.paymentId, canceled);
  } catch (error) {
    throw toPendingError(error, deps.log);
  }
}

/**
 * Refunds what is missing to `refundedCents`. The key names what was refunded before, so that of two concurrent calls one is
 * carried out and the other refused.
 */
export async function refundPayment(
  deps: StripeDeps,
  { refundedCents, ...key }: PaymentKey & { refundedCents: number },
): Promise<PaymentEvent> {
  const stripe = await deps.getStripe();
  try {
    const found = await findIntent(deps, key);
    if (!found) throw new Error(`Stripe has no payment ${key.paymentId} to refund.`);
    if (found.latest_charge === null)
      throw new Error(`The payment ${key.paymentId} was never charged, and cannot be refunded.`);
    const { refundedCents: madeCents, failedCents } = await sumRefunds(deps, found.id);
    const missingCents = refundedCents - (madeCents - failedCents);
    if (missingCents > 0)
      await stripe.refunds.create(
        { payment_intent: found.id, amount: toStripeAmount(missingCents, toCode(found.currency)) },
        { idempotencyKey: `refund:${key.paymentId}:${madeCents}` },
      );
    return toRefund(key.paymentId, { refundedCents: madeCents + Math.max(0, missingCents), failedCents });
  } catch (error) {
    throw toPendingError(error, deps.log);
  }
}

/** Returns a payment intent as it is now. */
export async function retrieve({ getStripe }: StripeDeps, reference: string): Promise<Intent> {
  const stripe = await getStripe();
  return stripe.paymentIntents.retrieve(reference);
}

/** Returns the id of our payment that a payment intent carries; null for an intent of others. */
export function paymentIdOf({ metadata }: Pick<Intent, "metadata">): string | null {
  return metadata[PAYMENT_ID] ?? null;
}

/** Returns the event that says in which state a payment intent is. Throws `payments.pending` while Stripe works on it. */
export function toEvent(paymentId: string, intent: Intent): PaymentEvent {
  const { id: reference, status } = intent;
  const currency = toCode(intent.currency);
  if (status === "succeeded")
    return { id: `${paymentId}:succeeded`, paymentId, reference, currency, type: "payment.succeeded" };
  if (status === "canceled") return { ...toFailure(paymentId, "canceled"), reference };
  if (status === "requires_action" || needsBuyer(intent)) {
    const url = intent.next_action?.redirect_to_url?.url ?? null;
    return { id: `${paymentId}:requires_action`, paymentId, reference, currency, type: "payment.requires_action", url };
  }
  if (status !== "requires_payment_method") throw errors.payments.pending();
  const { code, decline_code } = intent.last_payment_error ?? {};
  return { ...toFailure(paymentId, decline_code ?? code ?? "card_declined"), reference };
}

/** Refunds of a payment, in minor units: all that were made, and those of them that failed later. */
export type RefundSums = { refundedCents: number; failedCents: number };

/** Returns the event of a refund, with the sums of all refunds. */
export function toRefund(paymentId: string, sums: RefundSums): PaymentEvent {
  const id = `${paymentId}:refunded:${sums.refundedCents}${sums.failedCents > 0 ? `:${sums.failedCents}` : ""}`;
  return { id, paymentId, type: "payment.refunded", ...sums };
}

/** Sums up the refunds of a payment intent. Those that fail later stay in Stripe's list. */
export async function sumRefunds({ getStripe }: StripeDeps, intent: string): Promise<RefundSums> {
  const stripe = await getStripe();
  const sums = { refundedCents: 0, failedCents: 0 };
  for await (const { amount, currency, status } of stripe.refunds.list({ payment_intent: intent, limit: PAGE_SIZE })) {
    const cents = fromStripeAmount(amount, currency);
    sums.refundedCents += cents;
    if (status === "failed" || status === "canceled") sums.failedCents += cents;
  }
  return sums;
}

function toFailure(paymentId: string, code: string): PaymentEvent {
  return { id: `${paymentId}:failed`, paymentId, type: "payment.failed", code };
}

/** Returns whether the bank wants to see the buyer, who was away when the card was charged. */
function needsBuyer({ status, last_payment_error }: Intent): boolean {
  return status === "requires_payment_method" && last_payment_error?.code === "authentication_required";
}

/** Creates and confirms a payment intent. Returns it too when the card was declined. */
async function createIntent({ getStripe, returnUrl }: StripeDeps, charge: Charge): Promise<Intent> {
  const { paymentId, card, amountCents, currency, description, isBuyerPresent } = charge;
  const { customer, paymentMethod } = parseCardReference(card);
  const stripe = await getStripe();
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: toStripeAmount(amountCents, currency),
        currency: currency.toLowerCase(),
        customer,
        payment_method: paymentMethod,
        allowed_payment_method_types: ["card"],
        description,
        metadata: { [PAYMENT_ID]: paymentId },
        confirm: true,
        ...(isBuyerPresent ? { return_url: returnUrl } : { off_session: true }),
      },
      { idempotencyKey: `payment:${paymentId}` },
    );
    // A replayed response says how the payment was then, not how it is now.
    const isReplayed = intent.lastResponse.headers["idempotent-replayed"] === "true";
    return isReplayed ? await stripe.paymentIntents.retrieve(intent.id) : intent;
  } catch (error) {
    const failed = asStripeError(error)?.payment_intent;
    if (failed) return stripe.paymentIntents.retrieve(failed.id);
    throw error;
  }
}

/** Confirms a payment again, as if the buyer were present: that gives the page where they confirm it with their bank. */
async function askBuyer({ getStripe, returnUrl }: StripeDeps, { card }: Charge, { id }: Intent): Promise<Intent> {
  const stripe = await getStripe();
  const { paymentMethod } = parseCardReference(card);
  try {
    return await stripe.paymentIntents.confirm(id, { payment_method: paymentMethod, return_url: returnUrl });
  } catch (error) {
    const failed = asStripeError(error)?.payment_intent;
    if (failed) return stripe.paymentIntents.retrieve(failed.id);
    throw error;
  }
}

/**
 * Finds a payment by its reference, or among the customer's payments since it was stored: lists are up to date at once, unlike
 * Stripe's search, and last longer than idempotency keys.
 */
async function findIntent(
  deps: StripeDeps,
  { paymentId, reference, card, createdAt }: PaymentKey,
): Promise<Intent | null> {
  if (reference !== null) return retrieve(deps, reference);
  if (card === null) return null;
  const stripe = await deps.getStripe();
  const { customer } = parseCardReference(card);
  const since = Math.floor((createdAt.getTime() - CLOCK_TOLERANCE_MS) / 1000);
  const list = stripe.paymentIntents.list({ customer, created: { gte: since }, limit: PAGE_SIZE });
  for await (const intent of list) if (paymentIdOf(intent) === paymentId) return intent;
  return null;
}

/** Returns the code for a card, an amount or a currency that Stripe cannot charge; null for all other errors. */
function findRefusalCode(error: unknown): string | null {
  const stripeError = asStripeError(error);
  if (!stripeError) return null;
  const { type, code, decline_code, param } = stripeError;
  if (type === "StripeCardError") return decline_code ?? code ?? "card_declined";
  if (code === "amount_too_small" || code === "amount_too_large") return code;
  if (type === "StripeInvalidRequestError" && param === "currency") return "currency_refused";
  const isAboutCard = param === "payment_method" || param === "customer";
  return type === "StripeInvalidRequestError" && (isMissing(error) || isAboutCard) ? "card_gone" : null;
}
