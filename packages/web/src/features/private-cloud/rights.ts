import type { User } from "#/features/auth/user.ts";

const MANAGERS: ReadonlySet<string> = new Set(["editor", "admin"]);

/** Whether somebody may change what the organization hosts; editors and admins may. Null until it is known. */
export function mayManage(user: User | null): boolean | null {
  return user === null ? null : MANAGERS.has(user.organization.role);
}
