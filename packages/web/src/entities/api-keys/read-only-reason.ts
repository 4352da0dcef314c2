import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { User } from "#/entities/session/user.ts";

/** Returns why the user may view API keys but not change them; null when they may. */
export function getKeysReadOnlyReason(user: User): string | null {
  const { organization, impersonated_by } = user;
  if (impersonated_by) return t`You are acting as somebody else. Keys cannot be changed meanwhile.`;
  if (can(user, "manage_keys")) return null;
  return t`You are a viewer of ${organization.name}. Its developers and admins look after keys: ask one of them.`;
}
