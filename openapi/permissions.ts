/** Reads permissions.yaml and renders what is generated from it. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The roles in ascending order, and each permission with the lowest role that has it. */
export type PermissionTable = {
  roles: readonly string[];
  permissions: Readonly<Record<string, { role: string; description: string }>>;
};

/** Reads the table. Throws when a permission names a role that does not exist. */
export function readPermissions(): PermissionTable {
  const table = parse(readFileSync(new URL("permissions.yaml", import.meta.url), "utf8")) as PermissionTable;
  for (const [name, { role }] of Object.entries(table.permissions))
    if (!table.roles.includes(role)) throw new Error(`permissions.yaml: ${name} names the unknown role ${role}.`);
  return table;
}

/** Adds the names of all permissions to the schema `Permission` of the bundle. Changes `document` in place. */
export function addPermissions(
  document: { components: { schemas: Record<string, { enum?: string[] }> } },
  { permissions }: PermissionTable,
): void {
  const { Permission: schema } = document.components.schemas;
  if (schema) schema.enum = Object.keys(permissions);
}

/** Returns the module that the server and the access table use. */
export function renderPermissionsModule({ roles, permissions }: PermissionTable): string {
  const lowestRoles = Object.entries(permissions).map(
    ([name, { role, description }]) => `  /** ${description} */\n  ${name}: ${JSON.stringify(role)},`,
  );
  return `/** Generated from permissions.yaml; do not edit. */

/** Roles of members in an organization, in ascending order. */
export const ROLES = ${JSON.stringify(roles)} as const;

/** The lowest role that has each permission. */
export const LOWEST_ROLES = {
${lowestRoles.join("\n")}
} as const;
`;
}
