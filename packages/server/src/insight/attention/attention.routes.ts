import { listKeyAttention } from "../../accounts/api-keys/index.ts";
import { listInvitationAttention } from "../../accounts/organizations/index.ts";
import { listDeploymentAttention } from "../../hosting/deployments/index.ts";
import { listBillingAttention } from "../../money/attention/index.ts";
import { listBudgetAttention } from "../../money/budgets/index.ts";
import type { AttentionItem, ListAttention } from "../../platform/core/attention.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission, type Permission } from "../../platform/core/auth/permissions.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { listWebhookAttention } from "../../platform/webhooks/index.ts";
import { listPlatformAttention, type PlatformSources } from "./platform-attention.ts";

type Deps = PlatformSources & { clock: Clock };

const MAX_ITEMS_OF_KIND = 20;
const SEVERITIES = ["error", "warning", "info"];

/** What is looked at, and who may do something about it. Null: every member; they get what concerns themselves. */
const SOURCES: readonly (readonly [Permission | null, ListAttention])[] = [
  ["manage_organization", listWebhookAttention],
  ["manage_members", listInvitationAttention],
  ["manage_keys", listKeyAttention],
  ["manage_deployments", listDeploymentAttention],
  ["manage_billing", listBillingAttention],
  [null, listBudgetAttention],
];

/** The handler of what needs a person's attention. */
export function attentionRoutes(deps: Deps): Handlers {
  return { "attention.list": async ({ actor }) => ({ items: await listAttention(deps, actor) }) };
}

async function listAttention(deps: Deps, actor: SignedInActor): Promise<AttentionItem[]> {
  const { organizationId, userId, role, isAdmin } = actor;
  const now = deps.clock.now();
  const onlyUser = hasPermission(role, "manage_organization") ? null : userId;
  const about = { organizationId, onlyUser, now, limit: MAX_ITEMS_OF_KIND };
  const lists = await Promise.all([
    ...SOURCES.filter(([permission]) => permission === null || hasPermission(role, permission)).map(([, list]) =>
      list(deps.db, about),
    ),
    ...(isAdmin ? [listPlatformAttention(deps, about)] : []),
  ]);
  return lists.flat().sort(bySeverity);
}

/** Sorting keeps the order of equal items. */
const bySeverity = (a: AttentionItem, b: AttentionItem) =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
