import { LOWEST_ROLES, ROLES } from "@feather/openapi/permissions";

/** A member's role in an organization. */
export type Role = (typeof ROLES)[number];

/** A permission of the contract's `x-permission`. */
export type Permission = keyof typeof LOWEST_ROLES;

/** Returns whether a text is the name of a permission. */
export function isPermission(name: string): name is Permission {
  return Object.hasOwn(LOWEST_ROLES, name);
}

/** Returns whether a text is the name of a role. */
export function isRole(name: string): name is Role {
  return (ROLES as readonly string[]).includes(name);
}

/** Returns a role that was read from the database. Throws for an unknown name, which a constraint excludes. */
export function parseRole(name: string): Role {
  if (!isRole(name)) throw new Error(`${name} is not a role.`);
  return name;
}

/** Returns all permissions of a role. */
export function permissionsOf(role: Role): Permission[] {
  return Object.keys(LOWEST_ROLES).filter(
    (name): name is Permission => isPermission(name) && hasPermission(role, name),
  );
}

/** Returns whether a role has a permission. */
export function hasPermission(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(LOWEST_ROLES[permission]);
}
