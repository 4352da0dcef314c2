import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../core/settings.ts";

/** The secret of the installation, which encrypts what is stored. */
export const installationSettings = {
  secret: {
    env: "FEATHER_SECRET",
    doc: "Secret that encrypts stored keys and signs links, at least 32 characters; by default made at the first start and kept in the data folder as secret.key. The database remembers which secret it was made with, and the server does not start with another.",
    schema: z.string().min(32).optional(),
    default: undefined,
    secret: true,
  },
  previousSecret: {
    env: "FEATHER_SECRET_PREVIOUS",
    doc: "The former secret, for one start after FEATHER_SECRET was changed: what it encrypted is encrypted anew. Recovery codes of second factors end.",
    schema: z.string().min(32).optional(),
    default: undefined,
    secret: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of the installation. */
export type InstallationSettings = SettingsOf<typeof installationSettings>;
