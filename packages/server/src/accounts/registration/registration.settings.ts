import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** Settings of who may create an account. */
export const registrationSettings = {
  mode: {
    env: "FEATHER_REGISTRATION",
    doc: "Who may make an account: open for everybody, invite for those an admin has invited, approve for those an admin lets in afterwards, off for nobody. By default open where only this machine can reach the server, otherwise invite.",
    schema: z.enum(["open", "invite", "approve", "off"]).optional(),
    default: undefined,
    defaultByExposure: true,
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of registration. */
export type RegistrationSettings = SettingsOf<typeof registrationSettings>;
