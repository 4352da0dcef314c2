import { t } from "@lingui/core/macro";
import { usd } from "#/features/billing/money.ts";
import type { Summary } from "./queries.ts";

/** The smallest payout in nano-USD. */
export const MINIMUM_NANO = 50_000_000_000n;
const DAYS_TO_SET = 30;
const DAY = 86_400_000;

/** Returns a sentence about the reward for a referral. */
export function termsOf({ method, percent, amount_nano_usd }: Summary): string {
  if (method === "commission") return t`You earn ${percent ?? 0} % of what friends pay in their first twelve months.`;
  const amount = amount_nano_usd === null ? t`credits` : t`${usd(amount_nano_usd)} of credits`;
  return t`When a friend makes a first payment, you get ${amount}, and so do they.`;
}

/** Returns how much commission is missing for a payout; null when it can be paid out. */
export function missing({ available_nano_usd }: Summary): string | null {
  const left = MINIMUM_NANO - BigInt(available_nano_usd);
  return left > 0n ? usd(String(left)) : null;
}

/** Returns whether the user may still enter who referred them. */
export const maySetReferrer = (signedUp: Date | undefined, now: Date = new Date()): boolean =>
  signedUp !== undefined && now.getTime() - signedUp.getTime() < DAYS_TO_SET * DAY;

/** Returns the number of referred users by status. */
export function friendsByState({
  referred_count,
  paying_count,
}: Summary): { word: string; tier: string; count: number; note: string }[] {
  return [
    {
      word: t`signed up`,
      tier: "loading",
      count: Math.max(0, referred_count - paying_count),
      note: t`The reward waits for a first payment.`,
    },
    { word: t`paid`, tier: "good", count: paying_count, note: t`They count for the reward.` },
  ];
}
