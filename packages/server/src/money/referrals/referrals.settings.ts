import { z } from "zod";
import { percent, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

/** The rewards for referring people. */
export const referralSettings = {
  creditsUsd: {
    env: "FEATHER_REFERRAL_CREDITS",
    doc: "US dollars of credits for a friend who came by a referral code, and for who gave it, after the first payment.",
    schema: z.coerce.number().min(0).max(10_000),
    default: "5",
    editable: true,
  },
  percent: {
    env: "FEATHER_REFERRAL_PERCENT",
    doc: "Percent of the payments of their friends' first twelve months that affiliates earn.",
    schema: percent,
    default: "20",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of referrals. */
export type ReferralSettings = SettingsOf<typeof referralSettings>;
