import { t } from "@lingui/core/macro";
import type { Role } from "./queries.ts";

/** Label and description of each role of the contract, from the fewest permissions to the most. */
const ROLE_TEXTS: Record<Role, { label: string; description: string }> = {
  viewer: { label: t`Viewer`, description: t`Sees models, usage and deployments.` },
  developer: {
    label: t`Developer`,
    description: t`Calls models, makes keys and applications, and sees what viewers see.`,
  },
  editor: { label: t`Editor`, description: t`Runs private models and deployments, and does what developers do.` },
  admin: { label: t`Admin`, description: t`Looks after people, plan and payments, and does everything else.` },
};

/** The roles, from the fewest permissions to the most. */
export const ROLES = Object.keys(ROLE_TEXTS) as Role[];

/** The roles as options of a field. */
export const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: ROLE_TEXTS[value].label }));

/** Returns the label of a role; the role itself where the server knows one that the site does not. */
export const getRoleLabel = (role: Role): string => ROLE_TEXTS[role]?.label ?? role;

/** Returns the description of a role. */
export const getRoleDescription = (role: Role): string => ROLE_TEXTS[role]?.description ?? "";
