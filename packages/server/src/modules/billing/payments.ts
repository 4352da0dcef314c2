/** A card as the payment service knows it. `fingerprint` is the same for the same card, whoever adds it. */
export type Card = {
  reference: string;
  fingerprint: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
};

type SetupOutcome =
  | { kind: "card"; card: Card }
  /** The buyer has to confirm it with their bank first. */
  | { kind: "requires_action"; card: Card }
  | { kind: "declined"; code: string };

/**
 * What a payment service says of a payment, as the answer to a call or later by a webhook. Events may come twice and in
 * any order; the same one has the same id.
 */
export type PaymentEvent = { id: string; paymentId: string } & (
  | { type: "payment.succeeded" }
  | { type: "payment.failed"; code: string }
  /** `url` is known only to the answer of a call. */
  | { type: "payment.requires_action"; url: string | null }
  /** What was given back in all, so that the order of refunds does not matter. */
  | { type: "payment.refunded"; refundedCents: number }
);

type Charge = { paymentId: string; amountCents: number; card: string; description: string };

/**
 * A payment service. Calls for the same payment are one: asked again, it answers what became of it. The test driver is
 * built in; another service is another of these.
 */
export type PaymentDriver = {
  name: string;
  isTest: boolean;
  /** Takes what the payment form sent. */
  setUp(form: string): Promise<SetupOutcome>;
  charge(charge: Charge): Promise<PaymentEvent>;
  /** What became of a payment; null when the service never heard of it. */
  find(paymentId: string): Promise<PaymentEvent | null>;
  /** Ends a payment that waits for the buyer. */
  cancel(paymentId: string): Promise<PaymentEvent>;
  refund(refund: { paymentId: string; refundedCents: number }): Promise<PaymentEvent>;
};
