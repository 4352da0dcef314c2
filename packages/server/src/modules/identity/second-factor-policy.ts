import type { Settings } from "../../config/settings.ts";

export type SecondFactorPolicy = (user: { is_admin: boolean; totp_enabled_at: Date | null }) => boolean;

/** Tells whether a user lacks a second factor that FEATHER_REQUIRE_SECOND_FACTOR asks for. */
export function createSecondFactorPolicy(required: Settings["FEATHER_REQUIRE_SECOND_FACTOR"]): SecondFactorPolicy {
  return (user) => {
    const isRequired = required === "all" || (required === "admins" && user.is_admin);
    return isRequired && user.totp_enabled_at === null;
  };
}
