/*
 * The interface to a payment service, version 1. It stands alone, so that a driver can be written with this file only: a module that
 * FEATHER_PAYMENT_MODULE names exports `interfaceVersion` and `createPaymentService`, as `PaymentModule` says.
 *
 * Amounts are whole minor units of a currency, by ISO 4217, also where their names end in `Cents`.
 */

/** A currency, by ISO 4217, and how many of its minor units are worth one US dollar at the operator's rate, as a decimal. */
export type Rate = { currency: string; minor_per_usd: string };

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

/**
 * A card that is being added: its reference at the payment service, and how the buyer enters it. Either `clientSecret` is the secret
 * for a form on the site, which only Stripe has, or `url` is the page of the service where the card is entered.
 */
export type Setup = { reference: string; clientSecret: string | null; url: string | null };

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
 * without a usable response rejects; the payment then counts as pending, and what the call did is found by `find`.
 */
export type PaymentDriver = {
  /**
   * Is stored with cards and payments: those of another name cannot be charged and refunded. Lowercase letters, digits, `-` and `_`;
   * `off`, `test` and `stripe` are taken.
   */
  name: string;
  /** Whether no money moves. */
  isTest: boolean;
  /** Returns the smallest amount that can be charged in a currency, in its minor units. */
  minChargeCents(rate: Rate): number;
  /** Creates the customer of an organization, or returns the one that an earlier call created in place of the same one. */
  createCustomer(details: CustomerDetails, replaced: string | null): Promise<string>;
  /**
   * Begins to add a card, which the buyer confirms in the browser. A page of the service sends them back to `returnUrl` afterwards. Repeated
   * calls with the same `setupId` return the same setup. Returns null when the service has no such customer.
   */
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

/** What a webhook is about, by the reference of the payment or setup at the service. */
export type WebhookSubject =
  | { kind: "payment" | "refund" | "setup"; reference: string }
  /** Only with Stripe: `reference` is that of the payment. */
  | { kind: "dispute"; reference: string; dispute: string }
  /** Only with Stripe: `reference` is that of the customer. */
  | { kind: "customer"; reference: string };

/** A webhook whose signature was checked. Those with the same id are handled once. */
export type PaymentWebhook = { id: string; type: string; subject: WebhookSubject };

/** A request of the service as it arrived. Names of headers are in lowercase. */
export type WebhookRequest = { body: string; headers: Readonly<Record<string, string | string[] | undefined>> };

/** Reads the webhooks of a payment service. */
export type WebhookReader = {
  /**
   * Checks the signature of a request and its age. Returns null for an event that nothing follows from. Rejects, with a message for who
   * sent it, when the request is not from the service.
   */
  read(request: WebhookRequest, now: Date): Promise<PaymentWebhook | null>;
  /** Returns the current state of a payment, or of its refunds; null for a payment of others. */
  resolve(subject: WebhookSubject): Promise<PaymentEvent | null>;
};

/** What a payment service consists of. Without webhooks it is asked about payments each minute. */
export type PaymentService = { driver: PaymentDriver; webhooks?: WebhookReader | null };

/** What a module gets when the server starts. Its own settings are in `process.env`. */
export type PaymentServiceOptions = {
  /** The page to which the service sends buyers back after they entered a card or confirmed a payment. */
  returnUrl: string;
  /** The address for the webhooks of the service. They are JSON, of at most 256 kB. */
  webhookUrl: string;
};

/** What a module exports that `FEATHER_PAYMENT_MODULE` names. */
export type PaymentModule = {
  interfaceVersion: 1;
  /** Is called once when the server starts. The server does not start if it rejects. */
  createPaymentService(options: PaymentServiceOptions): PaymentService | Promise<PaymentService>;
};
