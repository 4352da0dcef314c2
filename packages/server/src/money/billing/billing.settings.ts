import { z } from "zod";
import { onOff, percent, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

/** How plans and credits are sold. */
export const billingSettings = {
  payments: {
    env: "FEATHER_PAYMENTS",
    doc: "How plans and credits are paid for: off sells nothing; test takes test cards, moves no money, and is refused where other machines can reach the server. By default test where only this machine can, otherwise off.",
    schema: z.enum(["off", "test"]).optional(),
    default: undefined,
    defaultByExposure: true,
  },
  trials: {
    env: "FEATHER_TRIALS",
    doc: "Whether plans may be tried; how long, each plan says.",
    schema: onOff,
    default: "on",
  },
  taxPercent: {
    env: "FEATHER_TAX_PERCENT",
    doc: "Tax that is added to prices, in percent.",
    schema: percent,
    default: "0",
  },
} as const satisfies SettingDeclarations;

/** The settings of billing. */
export type BillingSettings = SettingsOf<typeof billingSettings>;
