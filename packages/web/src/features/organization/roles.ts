import { t } from "@lingui/core/macro";
import type { Role } from "./queries.ts";

/** The roles with label and description, from the fewest permissions to the most. */
export const ROLES: readonly { value: Role; label: string; description: string }[] = [
  { value: "viewer", label: t`Viewer`, description: t`Sees models, usage and deployments.` },
  {
    value: "developer",
    label: t`Developer`,
    description: t`Calls models, makes keys and applications, and sees what viewers see.`,
  },
  {
    value: "editor",
    label: t`Editor`,
    description: t`Runs private models and deployments, and does what developers do.`,
  },
  { value: "admin", label: t`Admin`, description: t`Looks after people, plan and payments, and does everything else.` },
];

/** Returns the label of a role. */
export const getRoleLabel = (role: Role): string => ROLES.find(({ value }) => value === role)?.label ?? role;

/** Returns the description of a role. */
export const getRoleDescription = (role: Role): string => ROLES.find(({ value }) => value === role)?.description ?? "";
