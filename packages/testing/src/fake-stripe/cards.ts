import { createHash } from "node:crypto";
import { StripeFault } from "./errors.ts";
import type { LastError, PaymentMethod, Store } from "./store.ts";

/** Codes of https://docs.stripe.com/testing by card number: when the card is added, and when it is charged. */
const DECLINED_AT_SETUP: Readonly<Record<string, Pick<LastError, "code" | "decline_code">>> = {
  "4000000000000002": { code: "card_declined", decline_code: "generic_decline" },
  "4000000000009995": { code: "card_declined", decline_code: "insufficient_funds" },
  "4000000000000069": { code: "expired_card" },
};
const DECLINED_AT_CHARGE = new Set(["4000000000000341"]);
/** Cards whose bank asks for confirmation once, when they are added, and at every payment. */
const AUTHENTICATES_ONCE = new Set(["4000002500003155"]);
const AUTHENTICATES_ALWAYS = new Set(["4000002760003184"]);

/** Returns the error of a declined card. */
export function declined(fields: Pick<LastError, "code" | "decline_code">): LastError {
  return { type: "card_error", message: "Your card was declined.", ...fields };
}

/** Returns why this card cannot be added; null when it can. */
export function findSetupDecline(number: string): LastError | null {
  const fields = DECLINED_AT_SETUP[number];
  return fields ? declined(fields) : null;
}

/** Returns why a charge of this card fails; null when it does not. */
export function findChargeDecline(number: string): LastError | null {
  return DECLINED_AT_CHARGE.has(number) ? declined({ code: "card_declined", decline_code: "generic_decline" }) : null;
}

/** Returns whether the bank asks the buyer to confirm that this card is added. */
export function needsSetupAuthentication(number: string): boolean {
  return AUTHENTICATES_ONCE.has(number) || AUTHENTICATES_ALWAYS.has(number);
}

/** Returns whether the bank asks the buyer to confirm each payment. */
export function needsPaymentAuthentication(number: string): boolean {
  return AUTHENTICATES_ALWAYS.has(number);
}

/** Creates a card that belongs to no customer yet. Throws `incorrect_number`. */
export function createCard(store: Store, number: string): PaymentMethod {
  if (!/^[0-9]{14,19}$/.test(number))
    throw new StripeFault(402, {
      type: "card_error",
      code: "incorrect_number",
      message: "Your card number is incorrect.",
      param: "number",
    });
  const card: PaymentMethod = {
    id: store.nextId("pm"),
    object: "payment_method",
    type: "card",
    customer: null,
    livemode: false,
    created: store.seconds(),
    metadata: {},
    billing_details: {},
    card: {
      funding: "credit",
      brand: number.startsWith("5") ? "mastercard" : "visa",
      last4: number.slice(-4),
      exp_month: 12,
      exp_year: 2034,
      fingerprint: createHash("sha256").update(number).digest("base64url").slice(0, 16),
    },
  };
  store.paymentMethods.set(card.id, card);
  store.cardNumbers.set(card.id, number);
  return card;
}
