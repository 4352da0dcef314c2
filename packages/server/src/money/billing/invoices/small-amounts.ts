import { formatMoney } from "../../currencies/index.ts";
import type { InvoiceDraft } from "../../quotes/index.ts";

/** Returns whether a card cannot be charged a total because it is too small. A total of nothing is not charged at all. */
export function isTooSmall(totalCents: number, minChargeCents: number): boolean {
  return totalCents > 0 && totalCents < minChargeCents;
}

/**
 * Waives a total that is smaller than a card can be charged, with a line that says so. The time that was not paid for has no
 * value either, so the next change of plan charges it.
 */
export function waiveSmallTotal(draft: InvoiceDraft, minChargeCents: number, currency: string): InvoiceDraft {
  if (!isTooSmall(draft.totalCents, minChargeCents)) return draft;
  const waivedCents = draft.totalCents - draft.taxCents;
  const smallest = formatMoney(minChargeCents, currency);
  return {
    ...draft,
    lines: [
      ...draft.lines,
      { description: `Waived: a card can be charged no less than ${smallest}`, amount_cents: -waivedCents },
    ],
    subtotalCents: draft.subtotalCents - waivedCents,
    taxCents: 0,
    taxCalculation: undefined,
    totalCents: 0,
    valueCents: Math.max(0, draft.valueCents - waivedCents),
  };
}
