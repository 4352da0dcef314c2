import { proportion } from "../periods.ts";

type PaidInvoice = { total_cents: number; credit_cents: number };

/**
 * Returns the credits, in cents, that a refund of `cents` revokes after `refundedCents` were refunded before. Calculated
 * from the sum of all refunds, so that the parts add up to the credits of the invoice.
 */
export function revokedCreditCents(
  { total_cents, credit_cents }: PaidInvoice,
  refundedCents: number,
  cents: number,
): number {
  const creditCentsFor = (paidCents: number) => proportion(credit_cents, paidCents, total_cents);
  return creditCentsFor(refundedCents + cents) - creditCentsFor(refundedCents);
}

/** Returns how many of the remaining cents can be refunded without revoking more credits than are available. */
export function calculateRefundableCents(
  invoice: PaidInvoice,
  refundedCents: number,
  remainingCents: number,
  availableCreditCents: number,
): number {
  if (revokedCreditCents(invoice, refundedCents, remainingCents) <= availableCreditCents) return remainingCents;
  const maxCents = proportion(invoice.total_cents, availableCreditCents, invoice.credit_cents) + 1;
  for (let cents = Math.min(remainingCents, maxCents); cents > 0; cents--)
    if (revokedCreditCents(invoice, refundedCents, cents) <= availableCreditCents) return cents;
  return 0;
}
