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
  amountCents: number;
  /** What the service has kept for it so far. */
  feeCents: number;
  openedAt: Date;
};

/** Reads what began at the payment service. A call without a usable response throws `payments.pending`. */
export type PaymentRecords = {
  /** Returns a dispute; null if it is unknown or about a payment of others. */
  findDispute(id: string): Promise<Dispute | null>;
};
