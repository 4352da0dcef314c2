import { proportion } from "../../../platform/core/money.ts";
import { stepOf } from "../../currencies/index.ts";

/** What was paid, in minor units, and the credits that it brought, in US cents. */
type PaidInvoice = { total_cents: number; credit_cents: number };

/**
 * Returns the credits, in US cents, that a refund of `cents` revokes after `refundedCents` were refunded before. Calculated
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

/** Returns the most of the remaining amount that can be refunded without revoking more credits than are available. */
export function calculateRefundableCents(
  invoice: PaidInvoice & { currency: string },
  refundedCents: number,
  remainingCents: number,
  availableCreditCents: number,
): number {
  const isCovered = (cents: number) => revokedCreditCents(invoice, refundedCents, cents) <= availableCreditCents;
  let [low, high] = [0, remainingCents];
  if (isCovered(high)) return high;
  // More cents never revoke fewer credits, so the largest amount is found by halving.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isCovered(middle)) low = middle;
    else high = middle - 1;
  }
  return low - (low % stepOf(invoice.currency));
}
