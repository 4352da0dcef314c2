import { onOff, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

/** What OAuth applications need before people can allow them. */
export const applicationSettings = {
  review: {
    env: "FEATHER_APPLICATION_REVIEW",
    doc: "Whether an admin must let a new OAuth application in before anybody can allow it. By default off where only this machine can reach the server, otherwise on.",
    schema: onOff.optional(),
    default: undefined,
    defaultByExposure: true,
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of OAuth applications. */
export type ApplicationSettings = SettingsOf<typeof applicationSettings>;
