import type { IdentitySettings } from "../identity.settings.ts";

type SecondFactorStatus = { is_admin: boolean; totp_enabled_at: Date | null; has_passkey: boolean };

/** Returns whether a user must set up a second factor. */
export type SecondFactorPolicy = (user: SecondFactorStatus) => boolean;

/** Creates the check whether a user lacks a second factor that FEATHER_REQUIRE_SECOND_FACTOR requires. */
export function createSecondFactorPolicy(required: IdentitySettings["requireSecondFactor"]): SecondFactorPolicy {
  return (user) => {
    const isRequired = required === "all" || (required === "admins" && user.is_admin);
    return isRequired && user.totp_enabled_at === null && !user.has_passkey;
  };
}
