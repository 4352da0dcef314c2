import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../core/settings.ts";

/** How processes that run models are kept apart. */
export const engineSettings = {
  sandbox: {
    env: "FEATHER_ENGINE_SANDBOX",
    doc: "Whether processes that run models are kept in a sandbox by bubblewrap (bwrap), on Linux: auto where it is installed and works, on to refuse to start without it, off never.",
    schema: z.enum(["auto", "on", "off"]),
    default: "auto",
  },
} as const satisfies SettingDeclarations;

/** The settings of engines. */
export type EngineSettings = SettingsOf<typeof engineSettings>;
