import type { CurrencyRate } from "../currencies/index.ts";

/** A card at the payment service. The same card always has the same `fingerprint`, also when different users add it. */
export type Card = {
  reference: string;
  fingerprint: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
};

/** The organization that a customer at the payment service stands for, and who gets its invoices. */
export type CustomerDetails = { organizationId: string; name: string; email: string };

/** A card that is being added: its reference at the payment service, and the secret that the buyer's browser needs. */
export type Setup = { reference: string; clientSecret: string };

/** How far a setup is. */
export type SetupState =
  /** The buyer's browser has confirmed no card yet, or the last one was declined or refused. */
  | { kind: "open" }
  /** The buyer has to confirm the card with their bank; null where only the form knows the address. */
  | { kind: "requires_action"; url: string | null }
  | { kind: "card"; card: Card };

/**
 * A change of a payment at the payment service, from the response to a call or from a webhook. Webhooks may deliver events
 * twice and in any order; a repeated event has the same id. `reference` is the payment's id at the service, and `currency` the one in
 * which it charges; it is missing where the service does not say it. Amounts are minor units of the currency of the payment.
 */
export type PaymentEvent = { id: string; paymentId: string; reference?: string; currency?: string } & (
  | { type: "payment.succeeded" }
  | { type: "payment.failed"; code: string }
  /** The address where the buyer confirms the payment; null unless the event is the response to a call. */
  | { type: "payment.requires_action"; url: string | null }
  /**
   * The sum of all refunds that were made so far, and of those that failed later. Both only grow, so the order of events does not
   * matter.
   */
  | { type: "payment.refunded"; refundedCents: number; failedCents?: number }
);

/** Identifies a payment at the service. The reference is null when no response has said it, for example after a crash. */
export type PaymentKey = { paymentId: string; reference: string | null; card: string | null; createdAt: Date };

/** A payment to charge. Renewals are charged while the buyer is away, so their bank may refuse what it otherwise confirms. */
export type Charge = PaymentKey & {
  card: string;
  amountCents: number;
  currency: string;
  description: string;
  isBuyerPresent: boolean;
};

/**
 * The interface to a payment service. Calls are idempotent per payment id: repeated calls return the current state. A call
 * without a response throws `payments.pending`, and what it did is found by `find`.
 */
export type PaymentDriver = {
  name: "off" | "test" | "stripe";
  /** Whether no money moves. */
  isTest: boolean;
  /** Returns the smallest amount that can be charged in a currency, in its minor units. */
  minChargeCents(rate: CurrencyRate): number;
  /** Creates the customer of an organization, or returns the one that an earlier call created in place of the same one. */
  createCustomer(details: CustomerDetails, replaced: string | null): Promise<string>;
  /** Begins to add a card, which the buyer's browser confirms. Returns null when the service has no such customer. */
  createSetup(setup: { setupId: string; customer: string }): Promise<Setup | null>;
  findSetup(reference: string): Promise<SetupState>;
  charge(charge: Charge): Promise<PaymentEvent>;
  /** Returns the latest event of a payment; null if the service does not know it. */
  find(payment: PaymentKey): Promise<PaymentEvent | null>;
  /** Cancels a payment that waits for the buyer. */
  cancel(payment: PaymentKey): Promise<PaymentEvent>;
  /** Removes a card. One that the service no longer has counts as removed. */
  removeCard(reference: string): Promise<void>;
  /** Refunds until `refundedCents` are refunded in all, without refunds that failed. */
  refund(payment: PaymentKey & { refundedCents: number }): Promise<PaymentEvent>;
};
