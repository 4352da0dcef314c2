import type { components } from "./generated/schema.ts";

/** A permission that a role of an organization grants. */
export type Permission = components["schemas"]["Permission"];

/**
 * Returns whether a user's role grants a permission: `can(await feather.auth.me(), "manage_keys")`. The server checks it with
 * every call; this is for deciding what to offer.
 */
export function can(user: { permissions: readonly Permission[] }, permission: Permission): boolean {
  return user.permissions.includes(permission);
}
