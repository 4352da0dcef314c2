import type { Stripe } from "stripe";
import { errors } from "../../../platform/core/errors/index.ts";
import type { CustomerData, CustomerPortal, CustomerRecord } from "../customer-portal.ts";
import { parseCardReference, toCard, toCardReference } from "./stripe-cards.ts";
import { asStripeError, isMissing, type StripeDeps, toPendingError } from "./stripe-client.ts";

type Deps = StripeDeps & {
  /** The configuration of the portal; undefined for the one that was saved at Stripe. */
  configuration: string | undefined;
  /** The page of the site to which the portal leads back. */
  portalReturnUrl: string;
};

const PAGE_SIZE = 100;

/** Creates the access to Stripe's customer portal, and to what people change there. */
export function createStripePortal(deps: Deps): CustomerPortal {
  return {
    find: (customer) => findCustomer(deps, customer),
    save: (customer, record) => saveCustomer(deps, customer, record),
    open: (customer) => openPortal(deps, customer),
  };
}

async function findCustomer({ getStripe, log }: Deps, id: string): Promise<CustomerRecord | null> {
  const stripe = await getStripe();
  try {
    const customer = await stripe.customers.retrieve(id);
    if (customer.deleted) return null;
    const cards: CustomerRecord["cards"] = [];
    for await (const method of stripe.customers.listPaymentMethods(id, { type: "card", limit: PAGE_SIZE })) {
      const card = toCard(id, method);
      if (card) cards.push(card);
    }
    return { ...toRecord(customer), cards };
  } catch (error) {
    if (isMissing(error)) return null;
    throw toPendingError(error, log);
  }
}

async function saveCustomer(
  { getStripe, log }: Deps,
  id: string,
  { details: { name, email, ...address }, defaultCard }: Parameters<CustomerPortal["save"]>[1],
): ReturnType<CustomerPortal["save"]> {
  const stripe = await getStripe();
  const card = defaultCard === null ? "" : parseCardReference(defaultCard).paymentMethod;
  try {
    const customer = await stripe.customers.update(id, {
      name: name ?? "",
      email: email ?? "",
      address: toStripeAddress(address),
      invoice_settings: { default_payment_method: card },
    });
    return toRecord(customer);
  } catch (error) {
    if (isMissing(error) && asStripeError(error)?.param !== "invoice_settings[default_payment_method]") return null;
    throw toPendingError(error, log);
  }
}

async function openPortal({ getStripe, configuration, portalReturnUrl, log }: Deps, customer: string): Promise<string> {
  const stripe = await getStripe();
  try {
    const session = await stripe.billingPortal.sessions.create({
      customer,
      return_url: portalReturnUrl,
      ...(configuration !== undefined && { configuration }),
    });
    return session.url;
  } catch (error) {
    const pending = toPendingError(error, log);
    const type = asStripeError(error)?.type;
    // The request was read and refused: the portal is not set up, or the key lacks its permission. Asking again changes nothing.
    if (type === "StripeInvalidRequestError" || type === "StripePermissionError")
      throw errors.payments.portalUnavailable();
    throw pending;
  }
}

function toRecord(customer: Stripe.Customer): Pick<CustomerRecord, "details" | "defaultCard"> {
  const { id, name, email, address, invoice_settings } = customer;
  const method = invoice_settings?.default_payment_method ?? null;
  const methodId = typeof method === "string" ? method : method?.id;
  const lines = [address?.line1, address?.line2, address?.state].filter(Boolean).join("\n");
  return {
    details: {
      name: name || null,
      email: email || null,
      address: lines || null,
      postalCode: address?.postal_code || null,
      city: address?.city || null,
      country: address?.country || null,
    },
    defaultCard: methodId === undefined ? null : toCardReference(id, methodId),
  };
}

/** Stripe has two lines and a state. What has more lines is put into two; a state is a line of ours. */
function toStripeAddress({ address, postalCode, city, country }: Omit<CustomerData, "name" | "email">) {
  const [line1 = "", ...others] = (address ?? "").split("\n");
  return {
    line1,
    line2: others.join(", "),
    state: "",
    postal_code: postalCode ?? "",
    city: city ?? "",
    country: country ?? "",
  };
}
