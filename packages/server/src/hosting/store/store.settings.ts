import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The settings of downloads that start without an administrator. */
export const storeSettings = {
  autoPull: {
    env: "FEATHER_AUTO_PULL",
    doc: "Whose calls and requests start the download of a model of the catalogue that is not on this machine and fits: off, admins of the platform, or everyone who may call the model.",
    schema: z.enum(["off", "admins", "everyone"]),
    default: "admins",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of downloads. */
export type StoreSettings = SettingsOf<typeof storeSettings>;
