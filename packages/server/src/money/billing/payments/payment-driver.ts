/** A card at the payment service. The same card always has the same `fingerprint`, also when different users add it. */
export type Card = {
  reference: string;
  fingerprint: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
};

type SetupResult =
  | { kind: "card"; card: Card }
  /** The buyer has to confirm the card with their bank before it can be used. */
  | { kind: "requires_action"; card: Card }
  | { kind: "declined"; code: string };

/**
 * A change of a payment at the payment service, from the response to a call or from a webhook. Webhooks may deliver events
 * twice and in any order; a repeated event has the same id.
 */
export type PaymentEvent = { id: string; paymentId: string } & (
  | { type: "payment.succeeded" }
  | { type: "payment.failed"; code: string }
  /** The address where the buyer confirms the payment; null unless the event is the response to a call. */
  | { type: "payment.requires_action"; url: string | null }
  /** The sum of all refunds so far, so that the order of refunds does not matter. */
  | { type: "payment.refunded"; refundedCents: number }
);

type Charge = { paymentId: string; amountCents: number; card: string; description: string };

/**
 * The interface to a payment service. Calls are idempotent per payment id: repeated calls return the current state. The
 * test driver is built in; for a real service, implement this type.
 */
export type PaymentDriver = {
  name: string;
  isTest: boolean;
  /** Registers a card with the data that the payment form sent. */
  setUp(input: string): Promise<SetupResult>;
  charge(charge: Charge): Promise<PaymentEvent>;
  /** Returns the latest event of a payment; null if the service does not know it. */
  find(paymentId: string): Promise<PaymentEvent | null>;
  /** Cancels a payment that waits for the buyer. */
  cancel(paymentId: string): Promise<PaymentEvent>;
  refund(refund: { paymentId: string; refundedCents: number }): Promise<PaymentEvent>;
};
