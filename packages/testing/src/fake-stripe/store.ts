import { missing } from "./errors.ts";

/** A customer. */
export type Customer = {
  id: string;
  object: "customer";
  name: string;
  email: string;
  metadata: object;
  deleted?: true;
};
/** A card. */
export type PaymentMethod = {
  id: string;
  object: "payment_method";
  type: "card";
  customer: string | null;
  livemode: boolean;
  created: number;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string };
};
/** Where the buyer confirms with their bank. */
export type NextAction = { type: "redirect_to_url"; redirect_to_url: { url: string; return_url: string | null } };
/** Why the last attempt failed. */
export type LastError = { type: "card_error"; code: string; decline_code?: string; message: string };
/** A setup intent. */
export type SetupIntent = {
  id: string;
  object: "setup_intent";
  client_secret: string;
  customer: string | null;
  payment_method: string | null;
  status: "requires_payment_method" | "requires_action" | "succeeded" | "canceled";
  next_action: NextAction | null;
  last_setup_error: LastError | null;
  metadata: object;
  usage: string;
  livemode: boolean;
  created: number;
};
/** A payment intent. */
export type PaymentIntent = {
  id: string;
  object: "payment_intent";
  amount: number;
  amount_received: number;
  currency: string;
  client_secret: string;
  customer: string | null;
  payment_method: string | null;
  description: string | null;
  status: "requires_payment_method" | "requires_confirmation" | "requires_action" | "succeeded" | "canceled";
  next_action: NextAction | null;
  last_payment_error: LastError | null;
  latest_charge: string | null;
  metadata: object;
  livemode: boolean;
  created: number;
};
/** A charge, which a payment intent makes when it succeeds. */
export type ChargeObject = {
  id: string;
  object: "charge";
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  payment_intent: string;
  created: number;
};
/** A refund. */
export type Refund = {
  id: string;
  object: "refund";
  amount: number;
  charge: string;
  payment_intent: string;
  status: "succeeded" | "failed";
  created: number;
};
/** An event, which webhooks deliver. Its object is a copy of what it was then. */
export type StripeEvent = {
  id: string;
  object: "event";
  api_version: string;
  type: string;
  created: number;
  livemode: boolean;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  data: { object: object };
};

/** What an account holds. */
export type Store = ReturnType<typeof createStore>;

/** The version of the API that the stand-in speaks. */
export const API_VERSION = "2026-10-28.endive";

/** Creates an empty account. `now` returns milliseconds since 1970. */
export function createStore(now: () => number, origin: () => string) {
  let count = 0;
  const events: StripeEvent[] = [];
  const seconds = () => Math.floor(now() / 1000);
  const nextId = (prefix: string) => `${prefix}_${String(++count).padStart(14, "0")}`;
  return {
    customers: new Map<string, Customer>(),
    paymentMethods: new Map<string, PaymentMethod & { number: string }>(),
    setupIntents: new Map<string, SetupIntent>(),
    paymentIntents: new Map<string, PaymentIntent>(),
    charges: new Map<string, ChargeObject>(),
    refunds: new Map<string, Refund>(),
    events,
    origin,
    seconds,
    nextId,
    /** Records an event with a copy of the object. */
    emit(type: string, object: object): void {
      events.push({
        id: nextId("evt"),
        object: "event",
        api_version: API_VERSION,
        type,
        created: seconds(),
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        data: { object: structuredClone(object) },
      });
    },
  };
}

/** Returns the object with this id. Throws `resource_missing`. */
export function getObject<T>(objects: ReadonlyMap<string, T>, kind: string, id: string, param = "id"): T {
  const found = objects.get(id);
  if (found === undefined) throw missing(kind, id, param);
  return found;
}

/** Returns the customer with this id. Throws `resource_missing`, also for one that was deleted. */
export function getCustomer(store: Store, id: string): Customer {
  const customer = store.customers.get(id);
  if (customer === undefined || customer.deleted) throw missing("customer", id, "customer");
  return customer;
}
