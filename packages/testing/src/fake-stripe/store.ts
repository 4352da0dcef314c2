import { missing } from "./errors.ts";
import { assertIsStripeObject } from "./schemas.ts";
import type { TaxCalculation, TaxTransaction } from "./tax.ts";

/** A customer. */
export type Customer = {
  id: string;
  object: "customer";
  name: string;
  email: string;
  address: Address | null;
  invoice_settings: { default_payment_method: string | null };
  metadata: object;
  livemode: boolean;
  created: number;
};
/** The address of a customer. */
export type Address = Record<"line1" | "line2" | "postal_code" | "city" | "state" | "country", string | null>;
/** What the customer portal offers. */
export type PortalConfiguration = {
  id: string;
  object: "billing_portal.configuration";
  active: boolean;
  is_default: boolean;
  business_profile: object;
  features: {
    customer_update: { enabled: boolean; allowed_updates: string[] };
    payment_method_update: { enabled: boolean };
    invoice_history: object;
    subscription_cancel: object;
    subscription_update: object;
  };
  login_page: object;
  livemode: boolean;
  created: number;
  updated: number;
};
/** A card. */
export type PaymentMethod = {
  id: string;
  object: "payment_method";
  type: "card";
  customer: string | null;
  livemode: boolean;
  created: number;
  metadata: object;
  billing_details: object;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string; funding: "credit" };
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
  payment_method_types: readonly ["card"];
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
  amount_captured: number;
  amount_refunded: number;
  refunded: boolean;
  payment_intent: string;
  payment_method: string | null;
  customer: string | null;
  currency: string;
  status: "succeeded";
  paid: true;
  captured: true;
  disputed: boolean;
  billing_details: object;
  metadata: object;
  livemode: boolean;
  created: number;
};
/** A refund. */
export type Refund = {
  id: string;
  object: "refund";
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  status: "succeeded" | "failed";
  failure_reason?: string;
  created: number;
};
/** How a dispute is, of the states that the stand-in has. Inquiries (`warning_…`) take no money. */
export type DisputeStatus =
  | "needs_response"
  | "under_review"
  | "won"
  | "lost"
  | "warning_needs_response"
  | "warning_closed";
/** A withdrawal from the balance at Stripe, or its return. */
export type BalanceTransaction = {
  id: string;
  object: "balance_transaction";
  type: "adjustment";
  amount: number;
  fee: number;
  net: number;
  currency: string;
  created: number;
  available_on: number;
  balance_type: "payments";
  fee_details: object[];
  reporting_category: "dispute" | "dispute_reversal";
  status: "available";
};
/** A dispute of a charge by the holder of the card. */
export type Dispute = {
  id: string;
  object: "dispute";
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  status: DisputeStatus;
  reason: string;
  balance_transactions: BalanceTransaction[];
  evidence: object;
  evidence_details: object;
  enhanced_eligibility_types: string[];
  is_charge_refundable: boolean;
  metadata: object;
  livemode: boolean;
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
  data: { object: object; previous_attributes?: object };
};

/** An address that events are sent to. */
export type WebhookEndpoint = {
  id: string;
  object: "webhook_endpoint";
  url: string;
  enabled_events: string[];
  status: "enabled" | "disabled";
  metadata: object;
  livemode: boolean;
  created: number;
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
    deletedCustomers: new Set<string>(),
    paymentMethods: new Map<string, PaymentMethod>(),
    /** Card numbers by the id of the payment method. Stripe never returns them. */
    cardNumbers: new Map<string, string>(),
    setupIntents: new Map<string, SetupIntent>(),
    paymentIntents: new Map<string, PaymentIntent>(),
    charges: new Map<string, ChargeObject>(),
    refunds: new Map<string, Refund>(),
    disputes: new Map<string, Dispute>(),
    portalConfigurations: new Map<string, PortalConfiguration>(),
    webhookEndpoints: new Map<string, WebhookEndpoint>(),
    taxCalculations: new Map<string, TaxCalculation>(),
    taxTransactions: new Map<string, TaxTransaction>(),
    /** The amounts of tax transactions, with tax, by their ids. */
    taxTotals: new Map<string, number>(),
    /** The permissions that the key lacks, by what Stripe calls them, such as Refunds. */
    lackingPermissions: new Set<string>(),
    events,
    /** Currencies that the account may not charge, as Stripe writes them. */
    refusedCurrencies: new Set<string>(),
    origin,
    seconds,
    nextId,
    /** Records an event with a copy of the object, and what its fields were before if it was updated. */
    emit(type: string, object: object, previous?: object): void {
      const event: StripeEvent = {
        id: nextId("evt"),
        object: "event",
        api_version: API_VERSION,
        type,
        created: seconds(),
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        data: { object: structuredClone(object), ...(previous && { previous_attributes: structuredClone(previous) }) },
      };
      assertIsStripeObject(event);
      events.push(event);
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
  if (customer === undefined || store.deletedCustomers.has(id)) throw missing("customer", id, "customer");
  return customer;
}
