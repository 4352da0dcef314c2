import { t } from "@lingui/core/macro";
import type { Role } from "./queries.ts";

/** What a member may be, the weakest first, and what that lets them do. */
export const ROLES: readonly { value: Role; label: string; may: string }[] = [
  { value: "viewer", label: t`Viewer`, may: t`sees models, usage and deployments` },
  { value: "developer", label: t`Developer`, may: t`also calls models, makes keys and applications` },
  { value: "editor", label: t`Editor`, may: t`also runs private models and deployments` },
  { value: "admin", label: t`Admin`, may: t`also looks after people, plan and payments` },
];

export const roleName = (role: Role): string => ROLES.find(({ value }) => value === role)?.label ?? role;
