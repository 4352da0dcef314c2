import { share } from "./periods.ts";

type Paid = { total_cents: number; credit_cents: number };

/**
 * The credits, in cents, that a refund of `cents` revokes after `refundedCents` were refunded before. Calculated from
 * the sum of all refunds, so that the parts add up to the credits of the invoice.
 */
export function creditsLost({ total_cents, credit_cents }: Paid, refundedCents: number, cents: number): number {
  const upTo = (part: number) => share(credit_cents, part, total_cents);
  return upTo(refundedCents + cents) - upTo(refundedCents);
}

/** How many of the remaining cents can be refunded without revoking more credits than are available. */
export function refundableCents(invoice: Paid, refundedCents: number, left: number, availableCents: number): number {
  if (creditsLost(invoice, refundedCents, left) <= availableCents) return left;
  const bound = share(invoice.total_cents, availableCents, invoice.credit_cents) + 1;
  for (let cents = Math.min(left, bound); cents > 0; cents--)
    if (creditsLost(invoice, refundedCents, cents) <= availableCents) return cents;
  return 0;
}
