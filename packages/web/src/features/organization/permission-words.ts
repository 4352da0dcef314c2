import { t } from "@lingui/core/macro";
import type { Permission } from "#/features/auth/can.ts";

/** Name and description of every permission of the contract. */
export const PERMISSION_WORDS: Readonly<Record<Permission, { name: string; means: string }>> = {
  call_models: {
    name: t`Call models`,
    means: t`Chat, and send requests that take units and credits of the organization.`,
  },
  manage_keys: { name: t`Make API keys`, means: t`Make, rename, switch off and delete keys.` },
  manage_applications: { name: t`Register applications`, means: t`Programs that sign people in with OAuth.` },
  manage_models: { name: t`Run private models`, means: t`Add, unload and delete models of the organization alone.` },
  manage_deployments: {
    name: t`Run deployments`,
    means: t`Create, change, pause and delete them, and hand out their tokens.`,
  },
  manage_members: { name: t`Look after members`, means: t`Invite people, change their roles, remove them.` },
  manage_organization: { name: t`Look after the organization`, means: t`Rename it and read its audit log.` },
  manage_billing: { name: t`Look after plan and payments`, means: t`Change the plan, cards, credits and invoices.` },
};
