/**
 * A stand-in for Stripe's API, which cannot run here: version 2026-10-28.endive, as far as payments by card use it. It is
 * written from https://docs.stripe.com/api and the types of the official package `stripe` 23.1.0: customers, setup intents,
 * payment intents, the customer portal, refunds, disputes, taxes, events, signed webhooks, idempotency keys, and the test cards of https://docs.stripe.com/testing.
 * It keeps state, refuses parameters that it does not know, and fails as a test says. What it returns is checked with the schemas
 * that Stripe publishes. Real cards, balances and all other methods of payment are missing.
 */
import type { ServerResponse } from "node:http";
import { type RecordedRequest, startHttpServer } from "../http-server.ts";
import { closeDispute, lostCents, openDispute } from "./disputes.ts";
import { StripeFault } from "./errors.ts";
import { type Params, parseForm } from "./form.ts";
import { createIdempotency, type Reply } from "./idempotency.ts";
import { authenticatePayment } from "./payment-intents.ts";
import { addCardInPortal, detachCard, renewCard, savePortal, updateCustomer } from "./portal.ts";
import { failRefund } from "./refunds.ts";
import { checkParams, checkPermission, findRoute } from "./routes.ts";
import { assertIsStripeObject } from "./schemas.ts";
import { authenticateSetup } from "./setup-intents.ts";
import { signWebhook } from "./signature.ts";
import { createStore, type Store, type StripeEvent } from "./store.ts";
import { totalOf } from "./tax.ts";

export type { Params } from "./form.ts";
export { signWebhook } from "./signature.ts";
export type {
  Address,
  ChargeObject,
  Customer,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  PortalConfiguration,
  Refund,
  SetupIntent,
  StripeEvent,
  WebhookEndpoint,
} from "./store.ts";
export type { TaxCalculation, TaxTransaction } from "./tax.ts";

/** The keys that the stand-in accepts, and the secret of its webhooks. */
export const STRIPE_KEYS = Object.freeze({
  secretKey: "sk_test_standin",
  publishableKey: "pk_test_standin",
  webhookSecret: "whsec_stand_in",
});

/** How a request fails: refused with a status, without a response before it was carried out, or after that. */
export type StripeFailure = { status: 429 | 500 | 503 } | "dropped" | "response lost";
type PlannedFailure = { failure: StripeFailure; path: RegExp };

type Options = { now?: () => number };

/** Starts the stand-in with an empty account. `now` returns milliseconds since 1970. */
export async function startFakeStripe({ now = Date.now }: Options = {}) {
  const store: Store = createStore(now, () => server.url);
  const idempotency = createIdempotency();
  const failures: PlannedFailure[] = [];
  const server = await startHttpServer((request, response) => {
    const at = failures.findIndex(({ path }) => path.test(`${request.method} ${request.url}`));
    const failure = at < 0 ? null : (failures.splice(at, 1)[0]?.failure ?? null);
    if (failure === "dropped") return response.destroy();
    const { reply, isReplayed } =
      failure !== null && typeof failure === "object"
        ? { reply: refusalOf(failure.status), isReplayed: false }
        : respond(store, idempotency, request);
    if (failure === "response lost") return response.destroy();
    return send(response, reply, isReplayed, request);
  });

  return {
    url: server.url,
    requests: server.requests,
    store,
    /** Makes the next requests fail whose method and path match, one for each failure. */
    fail(path: RegExp, ...kinds: readonly StripeFailure[]): void {
      failures.push(...kinds.map((failure) => ({ failure, path })));
    },
    /** Ends the failures that did not happen yet. */
    recover: () => void failures.splice(0),
    /** Evicts idempotency keys, as Stripe may after a day. */
    evictKeys: idempotency.clear,
    /** What the buyer decides on the page of their bank. */
    authenticate(url: string, approved: boolean): void {
      const id = url.slice(url.lastIndexOf("/") + 1);
      if (id.startsWith("seti_")) authenticateSetup(store, id, approved);
      else authenticatePayment(store, id, approved);
    },
    /** Confirms a setup with a card, as Stripe.js does in the browser. */
    async enterCard(clientSecret: string, number: string): Promise<Response> {
      const id = clientSecret.slice(0, clientSecret.indexOf("_secret"));
      return fetch(`${server.url}/v1/setup_intents/${id}/confirm`, {
        method: "POST",
        headers: { authorization: `Bearer ${STRIPE_KEYS.publishableKey}` },
        body: new URLSearchParams({
          client_secret: clientSecret,
          "payment_method_data[type]": "card",
          "payment_method_data[card][number]": number,
        }),
      });
    },
    /** Deletes a customer, as the operator can on Stripe's website; the cards belong to nobody then. */
    deleteCustomer(id: string): void {
      store.deletedCustomers.add(id);
      for (const card of store.paymentMethods.values()) if (card.customer === id) card.customer = null;
    },
    /** Saves what the customer portal offers, as the operator does on Stripe's website; by default cards and addresses. */
    savePortal: (updates = ["name", "address", "email"], id?: string) => savePortal(store, updates, id),
    /** What a person does in the customer portal: changes cards, which card pays, name, address and e-mail address. */
    portal: {
      addCard: (customer: string, number: string) => addCardInPortal(store, customer, number),
      removeCard: (id: string) => void detachCard(store, id),
      makeDefault: (customer: string, id: string) =>
        void updateCustomer(store, { invoice_settings: { default_payment_method: id } }, customer),
      update: (customer: string, change: Params) => void updateCustomer(store, change, customer),
    },
    /** What the network of a card does when it is replaced. */
    renewCard: (id: string, year: number) => renewCard(store, id, year),
    /** Opens a dispute of a payment intent, or an inquiry, which takes no money. */
    openDispute: (paymentIntent: string, options?: { amount?: number; isInquiry?: boolean }) =>
      openDispute(store, paymentIntent, options),
    closeDispute: (id: string, status: "won" | "lost" | "warning_closed") => closeDispute(store, id, status),
    /** Makes a refund fail that had succeeded. */
    failRefund: (id: string) => failRefund(store, id),
    /** Returns the charges minus refunds, lost disputes, and fees of disputes in a currency, in its units at Stripe. */
    balanceOf: (currency: string): number =>
      [...store.charges.values()]
        .filter((charge) => charge.currency === currency)
        .reduce((sum, { amount, amount_refunded }) => sum + amount - amount_refunded, 0) - lostCents(store, currency),
    /** Returns the reported amount with tax and without what was taken back, of the transactions whose references begin with a text. */
    reportedCents: (reference: string): number =>
      [...store.taxTransactions.values()]
        .filter((one) => one.reference.startsWith(reference))
        .reduce((sum, { id }) => sum + totalOf(store, id), 0),
    /** Returns a webhook as Stripe sends it: the event as JSON, and its signature. */
    webhookOf(event: StripeEvent, secret: string = STRIPE_KEYS.webhookSecret, at = store.seconds()) {
      const payload = JSON.stringify(event, null, 2);
      return { payload, signature: signWebhook(payload, secret, at) };
    },
    close: server.close,
  };
}

/** A running stand-in for Stripe's API. */
export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

function respond(
  store: Store,
  idempotency: ReturnType<typeof createIdempotency>,
  request: RecordedRequest,
): { reply: Reply; isReplayed: boolean } {
  const key = request.headers["idempotency-key"]?.toString();
  const fingerprint = `${request.method} ${request.url}\n${request.body}`;
  try {
    const earlier = idempotency.find(key, fingerprint);
    if (earlier) return { reply: earlier, isReplayed: true };
    const reply = { status: 200, body: structuredClone(carryOut(store, request)) };
    assertIsStripeObject(reply.body);
    idempotency.save(key, fingerprint, reply);
    return { reply, isReplayed: false };
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    const reply = { status: error.status, body: { error: error.fields } };
    assertIsStripeObject(reply.body);
    if (error.fields.type !== "idempotency_error") idempotency.save(key, fingerprint, reply);
    return { reply, isReplayed: false };
  }
}

function carryOut(store: Store, { method, url, headers, body }: RecordedRequest): object {
  const { pathname, search } = new URL(url, "http://stripe.test");
  const { route, id } = findRoute(method, pathname);
  const key = headers.authorization?.replace(/^Bearer /, "");
  if (key !== STRIPE_KEYS.secretKey && !(route.isPublic && key === STRIPE_KEYS.publishableKey))
    throw new StripeFault(401, { type: "invalid_request_error", message: "Invalid API Key provided: sk_test_****" });
  checkPermission(store, pathname);
  const params: Params = parseForm(method === "GET" ? search.slice(1) : body);
  checkParams(route, params);
  return route.answer(store, params, decodeURIComponent(id));
}

function refusalOf(status: number): Reply {
  if (status === 429)
    return {
      status,
      body: { error: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests" } },
    };
  return { status, body: { error: { type: "api_error", message: "An unknown error occurred" } } };
}

function send(response: ServerResponse, { status, body }: Reply, isReplayed: boolean, request: RecordedRequest): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "request-id": "req_stand_in",
    ...(isReplayed && { "idempotent-replayed": "true" }),
    ...(request.headers["idempotency-key"] && { "idempotency-key": request.headers["idempotency-key"] }),
  });
  response.end(JSON.stringify(body));
}
