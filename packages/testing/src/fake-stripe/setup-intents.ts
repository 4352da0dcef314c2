import { createCard, findSetupDecline, needsSetupAuthentication } from "./cards.ts";
import { invalid, StripeFault } from "./errors.ts";
import { nestedOf, type Params, textOf } from "./form.ts";
import { attachCard } from "./portal.ts";
import { getCustomer, getObject, type SetupIntent, type Store } from "./store.ts";

/** `POST /v1/setup_intents` */
export function createSetupIntent(store: Store, params: Params): SetupIntent {
  const customer = textOf(params, "customer") ?? null;
  if (customer !== null) getCustomer(store, customer);
  const id = store.nextId("seti");
  const intent: SetupIntent = {
    id,
    object: "setup_intent",
    client_secret: `${id}_secret_test`,
    customer,
    payment_method: null,
    status: "requires_payment_method",
    next_action: null,
    last_setup_error: null,
    metadata: nestedOf(params, "metadata"),
    payment_method_types: ["card"],
    usage: textOf(params, "usage") ?? "off_session",
    livemode: false,
    created: store.seconds(),
  };
  store.setupIntents.set(id, intent);
  store.emit("setup_intent.created", intent);
  return intent;
}

/** `POST /v1/setup_intents/:id/confirm`, as Stripe.js sends it from the browser, with the client secret. */
export function confirmSetupIntent(store: Store, id: string, params: Params): SetupIntent {
  const intent = getObject(store.setupIntents, "setupintent", id, "intent");
  if (textOf(params, "client_secret") !== intent.client_secret)
    throw invalid("client_secret", "The client_secret provided does not match.", "setup_intent_invalid_parameter");
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw invalid("intent", "You cannot confirm this SetupIntent.", "setup_intent_unexpected_state");
  const number = textOf(nestedOf(nestedOf(params, "payment_method_data"), "card"), "number") ?? "";
  const card = createCard(store, number);
  const decline = findSetupDecline(number);
  if (decline !== null) {
    Object.assign(intent, { status: "requires_payment_method", last_setup_error: decline, next_action: null });
    store.emit("setup_intent.setup_failed", intent);
    throw new StripeFault(402, { ...decline, setup_intent: structuredClone(intent) });
  }
  Object.assign(intent, { payment_method: card.id, last_setup_error: null });
  if (!needsSetupAuthentication(number)) return succeedSetup(store, intent);
  Object.assign(intent, {
    status: "requires_action",
    next_action: {
      type: "redirect_to_url",
      redirect_to_url: {
        url: `${store.origin()}/authenticate/${id}`,
        return_url: textOf(params, "return_url") ?? null,
      },
    },
  });
  store.emit("setup_intent.requires_action", intent);
  return intent;
}

/** What the buyer's bank reports: that they confirmed the card, or that they refused. */
export function authenticateSetup(store: Store, id: string, approved: boolean): void {
  const intent = getObject(store.setupIntents, "setupintent", id, "intent");
  if (intent.status !== "requires_action") return;
  if (approved) return void succeedSetup(store, intent);
  Object.assign(intent, {
    status: "requires_payment_method",
    payment_method: null,
    next_action: null,
    last_setup_error: {
      type: "card_error",
      code: "setup_intent_authentication_failure",
      message: "We are unable to authenticate your payment method.",
    },
  });
  store.emit("setup_intent.setup_failed", intent);
}

function succeedSetup(store: Store, intent: SetupIntent): SetupIntent {
  const card = getObject(store.paymentMethods, "PaymentMethod", intent.payment_method ?? "", "payment_method");
  attachCard(store, card, intent.customer);
  Object.assign(intent, { status: "succeeded", next_action: null });
  store.emit("setup_intent.succeeded", intent);
  return intent;
}
