import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The settings of probes, with which the server finds out what models can do. */
export const probeSettings = {
  models: {
    env: "FEATHER_PROBES",
    doc: "Whether each loaded model is asked once a day what it can do (tools, JSON schemas, pictures, long prompts, speed): own for those that run here and, within FEATHER_PROBES_DAILY_CENTS, those elsewhere; off leaves it to administrators to ask.",
    schema: z.enum(["own", "off"]),
    default: "own",
    editable: true,
  },
  dailyCents: {
    env: "FEATHER_PROBES_DAILY_CENTS",
    doc: "US cents a day (UTC) that these calls may cost at providers, by the prices that they state; with 0, nothing is asked there.",
    schema: z.coerce.number().int().min(0).max(100_000),
    default: "0",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of probes. */
export type ProbeSettings = SettingsOf<typeof probeSettings>;
