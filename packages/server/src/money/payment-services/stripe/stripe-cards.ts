import { createHash } from "node:crypto";
import type { Stripe } from "stripe";
import type { Card, CustomerDetails, Setup, SetupState } from "../payment-driver.ts";
import { asStripeError, type GetStripe, isMissing, type StripeDeps, toPendingError } from "./stripe-client.ts";

/** Returns the reference of a card: Stripe charges a card with its customer. */
export function toCardReference(customer: string, paymentMethod: string): string {
  return `${customer}/${paymentMethod}`;
}

/** Returns the customer and the payment method that a card's reference names. */
export function parseCardReference(reference: string): { customer: string; paymentMethod: string } {
  const [customer = "", paymentMethod = ""] = reference.split("/");
  return { customer, paymentMethod };
}

/** Creates the customer of an organization. The key makes a repeated call return the same one for a day. */
export async function createCustomer(
  { getStripe, log }: StripeDeps,
  { organizationId, name, email }: CustomerDetails,
  replaced: string | null,
): Promise<string> {
  const stripe = await getStripe();
  const key = createHash("sha256")
    .update(JSON.stringify([organizationId, name, email, replaced]))
    .digest("hex");
  try {
    const customer = await stripe.customers.create(
      { name, email, metadata: { organization_id: organizationId } },
      { idempotencyKey: `customer:${key}` },
    );
    return customer.id;
  } catch (error) {
    throw toPendingError(error, log);
  }
}

/** Begins to add a card for payments that are made while the buyer is away. */
export async function createSetup(
  { getStripe, log }: StripeDeps,
  { setupId, customer }: { setupId: string; customer: string },
): Promise<Setup | null> {
  const stripe = await getStripe();
  try {
    const { id, client_secret } = await stripe.setupIntents.create(
      { customer, usage: "off_session", allowed_payment_method_types: ["card"], metadata: { setup_id: setupId } },
      { idempotencyKey: `setup:${setupId}:${customer}` },
    );
    return { reference: id, clientSecret: client_secret ?? "", url: null };
  } catch (error) {
    if (isMissing(error)) return null;
    throw toPendingError(error, log);
  }
}

/** Removes a card from its customer, after which nobody can charge it. */
export async function removeCard({ getStripe, log }: StripeDeps, reference: string): Promise<void> {
  const stripe = await getStripe();
  try {
    await stripe.paymentMethods.detach(parseCardReference(reference).paymentMethod);
  } catch (error) {
    // Invalid: the card belongs to no customer, for example because the customer was deleted.
    if (asStripeError(error)?.type !== "StripeInvalidRequestError") throw toPendingError(error, log);
  }
}

/** Returns how far a setup is. One that Stripe no longer has is open, and ends with the setup intent. */
export async function findSetup({ getStripe, log }: StripeDeps, reference: string): Promise<SetupState> {
  const intent = await retrieveSetup(getStripe, reference).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw toPendingError(error, log);
  });
  if (intent?.status === "requires_action")
    return { kind: "requires_action", url: intent.next_action?.redirect_to_url?.url ?? null };
  if (intent?.status !== "succeeded") return { kind: "open" };
  const card = toCardOfSetup(intent);
  return card ? { kind: "card", card } : { kind: "open" };
}

async function retrieveSetup(getStripe: GetStripe, reference: string): Promise<Stripe.SetupIntent> {
  const stripe = await getStripe();
  return stripe.setupIntents.retrieve(reference, { expand: ["payment_method"] });
}

/** Returns the card of a customer; null for other payment methods. */
export function toCard(customer: string, { id, card }: Stripe.PaymentMethod): Card | null {
  if (!card) return null;
  const { brand, last4, exp_month, exp_year, fingerprint } = card;
  return {
    reference: toCardReference(customer, id),
    fingerprint: fingerprint ?? id,
    brand,
    last4,
    expMonth: exp_month,
    expYear: exp_year,
  };
}

function toCardOfSetup({ customer, payment_method: method }: Stripe.SetupIntent): Card | null {
  if (customer === null || method === null || typeof method === "string") return null;
  return toCard(typeof customer === "string" ? customer : customer.id, method);
}
