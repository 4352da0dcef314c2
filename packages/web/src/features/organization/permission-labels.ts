import type { Permission } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Name and description of every permission of the contract. */
export const PERMISSION_LABELS: Readonly<Record<Permission, { name: string; description: string }>> = {
  call_models: {
    name: t`Call models`,
    description: t`Chat, and send requests that take units and credits of the organization.`,
  },
  manage_keys: { name: t`Make API keys`, description: t`Make, rename, switch off and delete keys.` },
  manage_applications: { name: t`Register applications`, description: t`Programs that sign people in with OAuth.` },
  manage_models: {
    name: t`Run private models`,
    description: t`Add, unload and delete models of the organization alone.`,
  },
  manage_deployments: {
    name: t`Run deployments`,
    description: t`Create, change, pause and delete them, and hand out their tokens.`,
  },
  manage_members: { name: t`Look after members`, description: t`Invite people, change their roles, remove them.` },
  manage_organization: { name: t`Look after the organization`, description: t`Rename it and read its audit log.` },
  manage_billing: {
    name: t`Look after plan and payments`,
    description: t`Change the plan, cards, credits and invoices.`,
  },
};
