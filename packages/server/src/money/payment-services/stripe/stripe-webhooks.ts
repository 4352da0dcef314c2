import type { Stripe } from "stripe";
import { errors } from "../../../platform/core/errors/index.ts";
import type { PaymentEvent, PaymentWebhook, WebhookReader, WebhookRequest, WebhookSubject } from "../payment-driver.ts";
import { toCode } from "./stripe-amounts.ts";
import { asStripeError, isMissing, type StripeDeps, toPendingError } from "./stripe-client.ts";
import { paymentIdOf, retrieve, sumRefunds, toEvent, toRefund } from "./stripe-payments.ts";

type Deps = StripeDeps & {
  webhookSecret: string;
  /** Whether what people change in the customer portal is taken over. */
  followsCustomers: boolean;
};

/** Creates the reader of Stripe's webhooks. */
export function createStripeWebhooks(deps: Deps): WebhookReader {
  return {
    read: (request, now) => readWebhook(deps, request, now),
    resolve: (subject) => resolveSubject(deps, subject),
  };
}

async function readWebhook(
  { getStripe, webhookSecret, followsCustomers }: Deps,
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
  const subject = toSubject(event) ?? (followsCustomers ? toCustomerSubject(event) : null);
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

/** The events that the endpoint must also send where people change cards and addresses in the customer portal. */
export const PORTAL_EVENTS = [
  "customer.updated",
  "payment_method.attached",
  "payment_method.detached",
  "payment_method.updated",
  "payment_method.automatically_updated",
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

/** Returns the customer that an event changed. A card that was detached belongs to none, and the event says to whom it did. */
function toCustomerSubject(event: Stripe.Event): WebhookSubject | null {
  switch (event.type) {
    case "customer.updated":
      return { kind: "customer", reference: event.data.object.id };
    case "payment_method.attached":
    case "payment_method.detached":
    case "payment_method.updated":
    case "payment_method.automatically_updated": {
      const customer = event.data.object.customer ?? event.data.previous_attributes?.customer ?? null;
      if (customer === null) return null;
      return { kind: "customer", reference: typeof customer === "string" ? customer : customer.id };
    }
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
