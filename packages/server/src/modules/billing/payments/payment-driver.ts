/** A card at the payment service. `fingerprint` is the same for the same card, whoever adds it. */
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
  /** The buyer has to confirm the card with their bank first. */
  | { kind: "requires_action"; card: Card }
  | { kind: "declined"; code: string };

/**
 * A change of a payment at the payment service, from the response to a call or from a webhook. Events may arrive twice
 * and in any order; the same event has the same id.
 */
export type PaymentEvent = { id: string; paymentId: string } & (
  | { type: "payment.succeeded" }
  | { type: "payment.failed"; code: string }
  /** The page where the buyer confirms; null unless the event is the response to a call. */
  | { type: "payment.requires_action"; url: string | null }
  /** The sum of all refunds so far, so that the order of refunds does not matter. */
  | { type: "payment.refunded"; refundedCents: number }
);

type Charge = { paymentId: string; amountCents: number; card: string; description: string };

/**
 * The port to a payment service. Calls are idempotent per payment id: repeated calls return the current state. The test
 * driver is built in; a real service needs an implementation of this type.
 */
export type PaymentDriver = {
  name: string;
  isTest: boolean;
  /** Registers a card from what the payment form sent. */
  setUp(input: string): Promise<SetupResult>;
  charge(charge: Charge): Promise<PaymentEvent>;
  /** The latest event of a payment; null when the service does not know it. */
  find(paymentId: string): Promise<PaymentEvent | null>;
  /** Cancels a payment that waits for the buyer. */
  cancel(paymentId: string): Promise<PaymentEvent>;
  refund(refund: { paymentId: string; refundedCents: number }): Promise<PaymentEvent>;
};
