import { type ApiKey, can, type User } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";

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

/** Returns why the user cannot replace the secret of a key, whose owner is the only one who can; null when they can. */
export function getRotateRefusal(user: User, key: ApiKey): string | null {
  if (key.created_by === user.id) return null;
  return key.created_by_name === null
    ? t`Only who made it could. Make a new key instead.`
    : t`Only ${key.created_by_name} can, for whom it acts.`;
}

/** Returns why the user cannot switch a key on or lift its limits: only its owner and admins can. Null when they can. */
export function getLoosenRefusal(user: User, key: ApiKey): string | null {
  if (key.created_by === user.id || can(user, "manage_organization")) return null;
  return key.created_by_name === null
    ? t`Only admins of ${user.organization.name} can.`
    : t`Only ${key.created_by_name} and admins of ${user.organization.name} can.`;
}
