import { can } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import type { User } from "#/features/auth/user.ts";

/** Returns why the user may view API keys but not change them; null when they may. */
export function getKeysReadOnlyReason(user: User): string | null {
  const { organization, impersonated_by } = user;
  if (impersonated_by) return t`You are acting as somebody else. Keys cannot be changed meanwhile.`;
  if (can(user, "manage_keys")) return null;
  return t`You are a viewer of ${organization.name}. Its developers and admins look after keys: ask one of them.`;
}

/**
 * Returns why no more keys can be created; null below the plan's limit. `count` is the number of keys the organization
 * has.
 */
export function getKeyLimitMessage(user: User, count: number): string | null {
  const maxKeys = user.organization.current_subscription?.plan.api_keys_max;
  if (maxKeys === undefined || count < maxKeys) return null;
  const limitMessage = plural(maxKeys, {
    one: "Your plan allows # key, and you have it.",
    other: "Your plan allows # keys, and you have them all.",
  });
  return t`${limitMessage} Delete one, or choose a larger plan.`;
}
