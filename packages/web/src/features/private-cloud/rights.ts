import { can } from "#/features/auth/can.ts";
import type { User } from "#/features/auth/user.ts";

/** Whether somebody may change what the organization hosts. Null until it is known. */
export function mayManage(user: User | null): boolean | null {
  return user === null ? null : can(user, "manage_deployments");
}
