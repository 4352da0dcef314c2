import { checkAmount } from "./amounts.ts";
import { findChargeDecline, needsPaymentAuthentication } from "./cards.ts";
import { invalid, missing, StripeFault } from "./errors.ts";
import { nestedOf, type Params, textOf } from "./form.ts";
import { type List, listObjects } from "./lists.ts";
import {
  type ChargeObject,
  getCustomer,
  getObject,
  type LastError,
  type PaymentIntent,
  type PaymentMethod,
  type Store,
} from "./store.ts";

/** `POST /v1/payment_intents` */
export function createPaymentIntent(store: Store, params: Params): PaymentIntent {
  const amount = Number(textOf(params, "amount"));
  if (!Number.isInteger(amount) || amount < 1) throw invalid("amount", "Invalid integer", "parameter_invalid_integer");
  const currency = textOf(params, "currency") ?? "";
  if (store.refusedCurrencies.has(currency)) throw invalid("currency", `Invalid currency: ${currency}.`);
  checkAmount(amount, currency);
  const customer = textOf(params, "customer") ?? null;
  if (customer !== null) getCustomer(store, customer);
  const id = store.nextId("pi");
  const intent: PaymentIntent = {
    id,
    object: "payment_intent",
    amount,
    amount_received: 0,
    currency,
    client_secret: `${id}_secret_test`,
    customer,
    payment_method: textOf(params, "payment_method") ?? null,
    description: textOf(params, "description") ?? null,
    status: "requires_confirmation",
    next_action: null,
    last_payment_error: null,
    latest_charge: null,
    metadata: nestedOf(params, "metadata"),
    livemode: false,
    created: store.seconds(),
  };
  getPaymentCard(store, intent);
  store.paymentIntents.set(id, intent);
  store.emit("payment_intent.created", intent);
  return textOf(params, "confirm") === "true" ? attempt(store, intent, params) : intent;
}

/** `POST /v1/payment_intents/:id/confirm` */
export function confirmPaymentIntent(store: Store, id: string, params: Params): PaymentIntent {
  const intent = getObject(store.paymentIntents, "payment_intent", id, "intent");
  if (intent.status === "succeeded" || intent.status === "canceled") throw unexpectedState(intent, "confirm");
  intent.payment_method = textOf(params, "payment_method") ?? intent.payment_method;
  return attempt(store, intent, params);
}

/** `POST /v1/payment_intents/:id/cancel` */
export function cancelPaymentIntent(store: Store, id: string): PaymentIntent {
  const intent = getObject(store.paymentIntents, "payment_intent", id, "intent");
  if (intent.status === "succeeded" || intent.status === "canceled") throw unexpectedState(intent, "cancel");
  Object.assign(intent, { status: "canceled", next_action: null });
  store.emit("payment_intent.canceled", intent);
  return intent;
}

/** `GET /v1/payment_intents`: those of a customer, the newest first. */
export function listPaymentIntents(store: Store, query: Params): List<PaymentIntent> {
  const customer = textOf(query, "customer");
  const intents = [...store.paymentIntents.values()].filter(
    (intent) => customer === undefined || intent.customer === customer,
  );
  return listObjects("/v1/payment_intents", intents, query);
}

/** What the buyer's bank reports: that they confirmed the payment, or that they refused. */
export function authenticatePayment(store: Store, id: string, approved: boolean): void {
  const intent = getObject(store.paymentIntents, "payment_intent", id, "intent");
  if (intent.status !== "requires_action") return;
  if (approved) return void succeedPayment(store, intent);
  failPayment(store, intent, {
    type: "card_error",
    code: "payment_intent_authentication_failure",
    message: "The provided PaymentMethod has failed authentication.",
  });
}

function getPaymentCard(store: Store, { payment_method, customer }: PaymentIntent): PaymentMethod {
  const card = store.paymentMethods.get(payment_method ?? "");
  if (!card) throw missing("PaymentMethod", payment_method ?? "", "payment_method");
  if (card.customer !== customer)
    throw invalid("payment_method", "The payment method does not belong to the customer of this PaymentIntent.");
  return card;
}

/** Charges the card. A declined card, and one that needs its absent buyer, are errors with the intent. */
function attempt(store: Store, intent: PaymentIntent, params: Params): PaymentIntent {
  const number = store.cardNumbers.get(getPaymentCard(store, intent).id) ?? "";
  const decline = findChargeDecline(number);
  if (decline !== null) throw failPayment(store, intent, decline);
  if (!needsPaymentAuthentication(number)) return succeedPayment(store, intent);
  if (textOf(params, "off_session") === "true")
    throw failPayment(store, intent, {
      type: "card_error",
      code: "authentication_required",
      decline_code: "authentication_required",
      message: "Your card was declined. This transaction requires authentication.",
    });
  const returnUrl = textOf(params, "return_url") ?? null;
  Object.assign(intent, {
    status: "requires_action",
    last_payment_error: null,
    next_action: {
      type: "redirect_to_url",
      redirect_to_url: { url: `${store.origin()}/authenticate/${intent.id}`, return_url: returnUrl },
    },
  });
  store.emit("payment_intent.requires_action", intent);
  return intent;
}

function failPayment(store: Store, intent: PaymentIntent, error: LastError): StripeFault {
  Object.assign(intent, { status: "requires_payment_method", next_action: null, last_payment_error: error });
  store.emit("payment_intent.payment_failed", intent);
  return new StripeFault(402, { ...error, payment_intent: structuredClone(intent) });
}

function succeedPayment(store: Store, intent: PaymentIntent): PaymentIntent {
  const charge: ChargeObject = {
    id: store.nextId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    refunded: false,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    customer: intent.customer,
    currency: intent.currency,
    status: "succeeded",
    paid: true,
    captured: true,
    disputed: false,
    billing_details: {},
    metadata: intent.metadata,
    livemode: false,
    created: store.seconds(),
  };
  store.charges.set(charge.id, charge);
  Object.assign(intent, {
    status: "succeeded",
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
    last_payment_error: null,
  });
  store.emit("payment_intent.succeeded", intent);
  return intent;
}

function unexpectedState(intent: PaymentIntent, action: string): StripeFault {
  return new StripeFault(400, {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `You cannot ${action} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: structuredClone(intent),
  });
}
