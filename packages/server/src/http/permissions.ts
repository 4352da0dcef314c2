/** What a member may be in an organization, the weakest first. */
export const ROLES = ["viewer", "developer", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What the contract may ask for with `x-permission`, and the weakest role that has it. */
const WEAKEST = {
  call_models: "developer",
  manage_keys: "developer",
  manage_applications: "developer",
  manage_models: "editor",
  manage_deployments: "editor",
  manage_members: "admin",
  manage_organization: "admin",
  manage_billing: "admin",
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof WEAKEST;

export function isPermission(name: string): name is Permission {
  return Object.hasOwn(WEAKEST, name);
}

export function isRole(name: string): name is Role {
  return (ROLES as readonly string[]).includes(name);
}

/** A role as it stands in the database, where a constraint keeps it to the known ones. */
export function roleFrom(name: string): Role {
  if (!isRole(name)) throw new Error(`${name} is not a role.`);
  return name;
}

export function permissionsOf(role: Role): Permission[] {
  return Object.keys(WEAKEST).filter((name): name is Permission => isPermission(name) && allows(role, name));
}

export function allows(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(WEAKEST[permission]);
}
