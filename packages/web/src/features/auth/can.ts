import type { Result } from "@feather/sdk";
import type { User } from "./user.ts";

/** A permission that a role of an organization can grant. */
export type Permission = Result<"organization.roles">["items"][number]["permissions"][number];

/**
 * Returns whether the user's role grants a permission. The server checks it again; this decides what the site offers.
 */
export const can = (user: User, permission: Permission): boolean => user.permissions.includes(permission);
