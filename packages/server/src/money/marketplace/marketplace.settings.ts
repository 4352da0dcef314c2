import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** Whether plans are sold at cloud marketplaces. */
export const marketplaceSettings = {
  mode: {
    env: "FEATHER_MARKETPLACES",
    doc: "Plans bought at cloud marketplaces: off, or test with made-up tokens, which is refused where other machines can reach the server. By default test where only this machine can, otherwise off.",
    schema: z.enum(["off", "test"]).optional(),
    default: undefined,
    defaultByExposure: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of marketplaces. */
export type MarketplaceSettings = SettingsOf<typeof marketplaceSettings>;
