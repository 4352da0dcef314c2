/**
 * How far a dispute is. An inquiry of the bank takes no money; an open dispute has taken it; one that is lost keeps it, and one that
 * is won returns it.
 */
export type DisputeStatus = "inquiry" | "open" | "won" | "lost";

/** A dispute of a payment by the holder of the card, as the payment service has it now. */
export type Dispute = {
  id: string;
  paymentId: string;
  status: DisputeStatus;
  reason: string;
  /** In minor units of `currency`. */
  amountCents: number;
  currency: string;
  /** What the service has kept for it so far, in minor units of `feeCurrency`. */
  feeCents: number;
  feeCurrency: string;
  openedAt: Date;
};

/** A successful charge. Without `paymentId` it was not made by us; `reference` identifies the payment at the service. */
export type ChargeRecord = { reference: string; paymentId: string | null; amountCents: number; currency: string };

/** Reads what the payment service has. A call without a usable response throws `payments.pending`. */
export type PaymentRecords = {
  /** Returns a dispute; null if it is unknown or about a payment of others. */
  findDispute(id: string): Promise<Dispute | null>;
  /** Returns the disputes of our payments that were opened since. */
  listDisputes(since: Date): Promise<Dispute[]>;
  /** Returns the successful charges in a time, its end excluded. */
  listCharges(since: Date, until: Date): Promise<ChargeRecord[]>;
  /** Returns the references of the payments with a refund that was made since. */
  listRefunded(since: Date): Promise<string[]>;
};
