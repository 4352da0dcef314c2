import type { ReferralSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { DAY_MS } from "#/lib/time.ts";

/** The smallest payout in nano-USD. */
export const MIN_PAYOUT_NANO_USD = 50_000_000_000n;
const REFERRER_DEADLINE_DAYS = 30;

/** Returns a sentence about the reward for a referral. */
export function describeTerms({ method, percent, amount_nano_usd }: ReferralSummary): string {
  if (method === "commission") return t`You earn ${percent ?? 0} % of what friends pay in their first twelve months.`;
  const amount = amount_nano_usd === null ? t`credits` : t`${formatNanoUsd(amount_nano_usd)} of credits`;
  return t`When a friend makes a first payment, you get ${amount}, and so do they.`;
}

/** Returns how much commission is missing for a payout; null when it can be paid out. */
export function formatMissingAmount({ available_nano_usd }: ReferralSummary): string | null {
  const missingNanoUsd = MIN_PAYOUT_NANO_USD - BigInt(available_nano_usd);
  return missingNanoUsd > 0n ? formatNanoUsd(String(missingNanoUsd)) : null;
}

/** Returns whether the user may still enter who referred them. */
export const canSetReferrer = (signedUp: Date | undefined, now: Date = new Date()): boolean =>
  signedUp !== undefined && now.getTime() - signedUp.getTime() < REFERRER_DEADLINE_DAYS * DAY_MS;

/** Returns the number of referred users by status. */
export function countFriendsByStatus({
  referred_count,
  paying_count,
}: ReferralSummary): { label: string; tier: string; count: number; note: string }[] {
  return [
    {
      label: t`signed up`,
      tier: "loading",
      count: Math.max(0, referred_count - paying_count),
      note: t`The reward waits for a first payment.`,
    },
    { label: t`paid`, tier: "good", count: paying_count, note: t`They count for the reward.` },
  ];
}
