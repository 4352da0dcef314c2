import { can } from "@feather/sdk";
import type { User } from "#/entities/session/user.ts";

/** Whether a user may manage deployments; null until the user is known. */
export function canManageDeployments(user: User | null): boolean | null {
  return user === null ? null : can(user, "manage_deployments");
}
