import { createCard } from "./cards.ts";
import { invalid, StripeFault } from "./errors.ts";
import { nestedOf, type Params, textOf } from "./form.ts";
import { type List, listObjects } from "./lists.ts";
import {
  type Address,
  type Customer,
  getCustomer,
  getObject,
  type PaymentMethod,
  type PortalConfiguration,
  type Store,
} from "./store.ts";

const ADDRESS_FIELDS = ["line1", "line2", "postal_code", "city", "state", "country"] as const;

/** `POST /v1/customers` */
export function createCustomer(store: Store, params: Params): Customer {
  const customer: Customer = {
    id: store.nextId("cus"),
    object: "customer",
    name: textOf(params, "name") ?? "",
    email: textOf(params, "email") ?? "",
    address: null,
    invoice_settings: { default_payment_method: null },
    metadata: nestedOf(params, "metadata"),
    livemode: false,
    created: store.seconds(),
  };
  store.customers.set(customer.id, customer);
  store.emit("customer.created", customer);
  return customer;
}

/** `POST /v1/customers/:id`. Fields that are left out stay; an empty text removes what a field held. */
export function updateCustomer(store: Store, params: Params, id: string): Customer {
  getObject(store.customers, "customer", id);
  const customer = getCustomer(store, id);
  const before = structuredClone(customer);
  const address = nestedOf(params, "address");
  const card = textOf(nestedOf(params, "invoice_settings"), "default_payment_method");
  if (card) requireCardOf(store, card, id);
  customer.name = textOf(params, "name") ?? customer.name;
  customer.email = textOf(params, "email") ?? customer.email;
  if (params.address !== undefined)
    customer.address = Object.fromEntries(
      ADDRESS_FIELDS.map((name) => [name, textOf(address, name) || null]),
    ) as unknown as Address;
  if (card !== undefined) customer.invoice_settings = { default_payment_method: card || null };
  if (JSON.stringify(before) !== JSON.stringify(customer)) store.emit("customer.updated", customer, before);
  return customer;
}

/** `GET /v1/customers/:id/payment_methods` */
export function listCardsOfCustomer(store: Store, query: Params, id: string): List<PaymentMethod> {
  getCustomer(store, id);
  const cards = [...store.paymentMethods.values()].filter(({ customer }) => customer === id);
  return listObjects(`/v1/customers/${id}/payment_methods`, cards, query);
}

/** Attaches a new card to a customer, as the portal and a setup intent do. */
export function attachCard(store: Store, card: PaymentMethod, customer: string | null): void {
  card.customer = customer;
  if (customer !== null) store.emit("payment_method.attached", card, { customer: null });
}

/** `POST /v1/payment_methods/:id/detach`. The customer has no default card then, if it was this one. */
export function detachCard(store: Store, id: string): PaymentMethod {
  const card = getObject(store.paymentMethods, "PaymentMethod", id, "payment_method");
  if (card.customer === null)
    throw invalid("payment_method", "The payment method you provided is not attached to a customer.");
  const { customer: customerId } = card;
  card.customer = null;
  store.emit("payment_method.detached", card, { customer: customerId });
  const customer = store.customers.get(customerId);
  if (customer?.invoice_settings.default_payment_method === id) {
    const previous = { invoice_settings: customer.invoice_settings };
    customer.invoice_settings = { default_payment_method: null };
    store.emit("customer.updated", customer, previous);
  }
  return card;
}

/** `POST /v1/billing_portal/sessions`. Without a configuration Stripe uses the one that was saved on its website. */
export function createPortalSession(store: Store, params: Params): object {
  const customer = textOf(params, "customer") ?? "";
  getCustomer(store, customer);
  const named = textOf(params, "configuration");
  const configuration =
    named === undefined
      ? [...store.portalConfigurations.values()].find(({ is_default }) => is_default)
      : getObject(store.portalConfigurations, "configuration", named, "configuration");
  if (!configuration?.active)
    throw new StripeFault(400, {
      type: "invalid_request_error",
      message:
        "No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.",
    });
  const id = store.nextId("bps");
  return {
    id,
    object: "billing_portal.session",
    configuration: configuration.id,
    customer,
    customer_account: null,
    flow: null,
    locale: null,
    on_behalf_of: null,
    livemode: false,
    created: store.seconds(),
    return_url: textOf(params, "return_url") ?? null,
    url: `${store.origin()}/p/session/${id}`,
  };
}

/** `GET /v1/billing_portal/configurations` */
export function listPortalConfigurations(store: Store, query: Params): List<PortalConfiguration> {
  const matches = (name: "active" | "is_default", one: PortalConfiguration) =>
    query[name] === undefined || String(one[name]) === query[name];
  const found = [...store.portalConfigurations.values()].filter(
    (one) => matches("active", one) && matches("is_default", one),
  );
  return listObjects("/v1/billing_portal/configurations", found, query);
}

/** `GET` and `POST /v1/billing_portal/configurations/:id` */
export function getPortalConfiguration(store: Store, _params: Params, id: string): PortalConfiguration {
  return getObject(store.portalConfigurations, "configuration", id);
}

/** What the operator saves on Stripe's website: what the portal offers. */
export function savePortal(store: Store, allowed_updates: string[], id = "bpc_1"): void {
  const off = { enabled: false };
  store.portalConfigurations.set(id, {
    id,
    object: "billing_portal.configuration",
    active: true,
    is_default: id === "bpc_1",
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    features: {
      customer_update: { enabled: allowed_updates.length > 0, allowed_updates },
      payment_method_update: { enabled: true },
      invoice_history: off,
      subscription_cancel: off,
      subscription_update: off,
    },
    login_page: { enabled: false, url: null },
    livemode: false,
    created: store.seconds(),
    updated: store.seconds(),
  });
}

/** What a person does in the portal: add a card. Returns its id. */
export function addCardInPortal(store: Store, customer: string, number: string): string {
  const card = createCard(store, number);
  attachCard(store, card, customer);
  return card.id;
}

/** What the network of a card does when it is replaced: the same card has another date. */
export function renewCard(store: Store, id: string, exp_year: number): void {
  const card = getObject(store.paymentMethods, "PaymentMethod", id, "payment_method");
  const previous = { card: structuredClone(card.card) };
  card.card.exp_year = exp_year;
  store.emit("payment_method.automatically_updated", card, previous);
}

function requireCardOf(store: Store, id: string, customer: string): void {
  const card = getObject(store.paymentMethods, "PaymentMethod", id, "invoice_settings[default_payment_method]");
  if (card.customer !== customer)
    throw invalid(
      "invoice_settings[default_payment_method]",
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    );
}
