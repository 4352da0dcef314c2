import { MARKETPLACE_NAMES, type MarketplaceProvider } from "../../billing/index.ts";
import { creditsAccount } from "../../credits/index.ts";
import type { LedgerTransaction } from "../../ledger/index.ts";

/** Whose usage is posted, at which marketplace. */
type Usage = { organization_id: string; provider: string };

/** Returns the name of the account with what a marketplace owes. */
export const receivable = (provider: string) => `receivable:${provider}` as const;

/**
 * Returns the posting for credits that are drawn, or returned when the amount is below zero. The marketplace owes what is
 * drawn from then on.
 */
export function toDrawPosting(
  { organization_id: organizationId, provider }: Usage,
  amountNano: bigint,
  reference: string,
): LedgerTransaction {
  const marketplace = MARKETPLACE_NAMES[provider as MarketplaceProvider];
  return {
    kind: "metering",
    organizationId,
    description: amountNano > 0n ? `Metered usage at ${marketplace}` : `Metered at ${marketplace} and not used`,
    reference,
    entries: [
      { account: creditsAccount(organizationId), amountNano },
      { account: receivable(provider), amountNano: -amountNano },
    ],
  };
}

/** Returns the posting for usage that a marketplace refused: nobody pays for it. */
export function toWriteOffPosting(usage: Usage & { id: string }, amountNano: bigint): LedgerTransaction {
  const { id, organization_id: organizationId, provider } = usage;
  return {
    kind: "write_off",
    organizationId,
    description: `Refused by ${MARKETPLACE_NAMES[provider as MarketplaceProvider]}`,
    reference: `write_off:${id}`,
    entries: [
      { account: receivable(provider), amountNano },
      { account: "write_offs", amountNano: -amountNano },
    ],
  };
}
