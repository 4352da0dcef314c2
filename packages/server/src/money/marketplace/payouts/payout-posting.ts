import { centsToNano } from "../../../platform/core/money.ts";
import { MARKETPLACE_NAMES, type MarketplaceProvider } from "../../billing/index.ts";
import type { LedgerTransaction } from "../../ledger/index.ts";
import { receivable } from "../metering/metering-postings.ts";

type Payout = {
  id: string;
  provider: string;
  reference: string;
  amount_cents: number;
  fee_cents: number;
  is_test: boolean;
};

/**
 * Returns the posting for a payout of a marketplace, or for its reversal: what arrived is cash, what the marketplace kept is an
 * expense, and it owes as much less.
 */
export function toPayoutPosting(payout: Payout, kind: "payout" | "reversal"): LedgerTransaction {
  const { id, provider, reference, is_test } = payout;
  const sign = kind === "payout" ? 1n : -1n;
  const amountNano = sign * centsToNano(payout.amount_cents);
  const feeNano = sign * centsToNano(payout.fee_cents);
  const what = `${kind === "payout" ? "Payout" : "Reversed payout"} ${reference} of ${MARKETPLACE_NAMES[provider as MarketplaceProvider]}`;
  const entries = [
    { account: receivable(provider), amountNano: amountNano + feeNano },
    { account: "cash" as const, amountNano: -amountNano },
    { account: "marketplace_fees" as const, amountNano: -feeNano },
  ];
  return {
    kind: "marketplace_payout",
    organizationId: null,
    description: is_test ? `TEST ${what}` : what,
    reference: `marketplace_${kind}:${id}`,
    entries: entries.filter((entry) => entry.amountNano !== 0n),
  };
}
