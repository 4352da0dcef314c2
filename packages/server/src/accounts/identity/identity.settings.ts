import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** Settings of the first admin, and of who needs a second factor. */
export const identitySettings = {
  adminEmail: {
    env: "FEATHER_ADMIN_EMAIL",
    doc: "E-mail of the first admin; with FEATHER_ADMIN_PASSWORD the account is made at the first start.",
    schema: z.email().optional(),
    default: undefined,
  },
  adminPassword: {
    env: "FEATHER_ADMIN_PASSWORD",
    doc: "Password of the first admin, 10 to 128 characters.",
    schema: z.string().min(10).max(128).optional(),
    default: undefined,
  },
  requireSecondFactor: {
    env: "FEATHER_REQUIRE_SECOND_FACTOR",
    doc: "Who must have a second factor: off for nobody, admins, or all. Until they have set one up, their sessions can do nothing else.",
    schema: z.enum(["off", "admins", "all"]),
    default: "off",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of accounts and signing in. */
export type IdentitySettings = SettingsOf<typeof identitySettings>;
