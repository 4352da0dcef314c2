import { can } from "#/features/auth/can.ts";
import type { User } from "#/features/auth/user.ts";

/** Whether a user may manage deployments; null until the user is known. */
export function canManageDeployments(user: User | null): boolean | null {
  return user === null ? null : can(user, "manage_deployments");
}
