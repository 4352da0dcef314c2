import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

const RETENTION_MESSAGE = "must be a whole number of days, at least 31";

/** How long usage is kept. */
export const usageSettings = {
  retentionDays: {
    env: "FEATHER_USAGE_RETENTION",
    doc: "Days that single calls are kept; for ever by default. They are removed a whole month (UTC) at a time, when all of it is older, so they stay up to a month longer. At least 31. Sums by hour, credits and invoices stay.",
    schema: z.coerce
      .number(RETENTION_MESSAGE)
      .int(RETENTION_MESSAGE)
      .min(31, RETENTION_MESSAGE)
      .max(36_500, "must be at most 36500 days")
      .optional(),
    default: undefined,
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of usage. */
export type UsageSettings = SettingsOf<typeof usageSettings>;
