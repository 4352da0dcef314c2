import type { Stripe } from "stripe";
import { errors } from "../../../platform/core/errors/index.ts";
import type { PaymentEvent, PaymentWebhook, WebhookReader, WebhookRequest, WebhookSubject } from "../payment-driver.ts";
import { toCode } from "./stripe-amounts.ts";
import { asStripeError, isMissing, type StripeDeps, toPendingError } from "./stripe-client.ts";
import { paymentIdOf, retrieve, sumRefunds, toEvent, toRefund } from "./stripe-payments.ts";

type Deps = StripeDeps & { webhookSecret: string };

/** Creates the reader of Stripe's webhooks. */
export function createStripeWebhooks(deps: Deps): WebhookReader {
  return {
    read: (request, now) => readWebhook(deps, request, now),
    resolve: (subject) => resolveSubject(deps, subject),
  };
}

async function readWebhook(
  { getStripe, webhookSecret }: Deps,
  { body, headers }: WebhookRequest,
  now: Date,
): Promise<PaymentWebhook | null> {
  const signature = headers["stripe-signature"]?.toString();
  if (signature === undefined) throw errors.payments.webhookRefused("The header stripe-signature is missing.");
  const stripe = await getStripe();
  const event = await stripe.webhooks
    .constructEventAsync(body, signature, webhookSecret, undefined, undefined, now.getTime())
    .catch((error: unknown) => {
      throw errors.payments.webhookRefused(describeRefusal(error));
    });
  const subject = toSubject(event);
  return subject && { id: event.id, type: event.type, subject };
}

function describeRefusal(error: unknown): string {
  if (asStripeError(error)?.type === "StripeSignatureVerificationError")
    return "The signature does not belong to the body and STRIPE_WEBHOOK_SECRET, or is older than five minutes.";
  return "Thin events are not supported: give the endpoint at Stripe the payload style snapshot.";
}

/** The events that the endpoint at Stripe must send. The documentation lists them. */
export const WEBHOOK_EVENTS = [
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.requires_action",
  "payment_intent.canceled",
  "setup_intent.succeeded",
  "charge.refunded",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
] as const satisfies readonly Stripe.Event["type"][];

/** Returns what an event is about; null for an event that nothing follows from. */
function toSubject(event: Stripe.Event): WebhookSubject | null {
  switch (event.type) {
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.requires_action":
    case "payment_intent.canceled":
      return { kind: "payment", reference: event.data.object.id };
    case "charge.refunded":
    case "charge.refund.updated":
    case "refund.updated":
    case "refund.failed":
      return toPaymentSubject("refund", event.data.object.payment_intent);
    case "setup_intent.succeeded":
      return { kind: "setup", reference: event.data.object.id };
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
      return toDisputeSubject(event.data.object);
    default:
      return null;
  }
}

function toPaymentSubject(kind: "refund", intent: string | { id: string } | null): WebhookSubject | null {
  return intent === null ? null : { kind, reference: typeof intent === "string" ? intent : intent.id };
}

function toDisputeSubject({ id, payment_intent: intent }: Stripe.Dispute): WebhookSubject | null {
  if (intent === null) return null;
  return { kind: "dispute", reference: typeof intent === "string" ? intent : intent.id, dispute: id };
}

async function resolveSubject(deps: Deps, { kind, reference }: WebhookSubject): Promise<PaymentEvent | null> {
  try {
    const intent = await retrieve(deps, reference);
    const paymentId = paymentIdOf(intent);
    if (paymentId === null) return null;
    if (kind !== "refund") return toEvent(paymentId, intent);
    return { ...toRefund(paymentId, await sumRefunds(deps, reference)), reference, currency: toCode(intent.currency) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw toPendingError(error, deps.log);
  }
}
