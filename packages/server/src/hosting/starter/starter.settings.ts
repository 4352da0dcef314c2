import { z } from "zod";
import { isModelId } from "../../platform/core/models/model-ids.ts";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The settings of the first model. */
export const starterSettings = {
  model: {
    env: "FEATHER_STARTER_MODEL",
    doc: "A first model that is downloaded at the start of a server that has none of its own: auto chooses a small one by memory, off prevents it, and owner/name names another one of the hub.",
    schema: z.union([z.enum(["auto", "off"]), z.string().refine(isModelId, "must be auto, off or owner/name")]),
    default: "auto",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of the first model. */
export type StarterSettings = SettingsOf<typeof starterSettings>;
