import type { components } from "@feather/openapi/schema";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission } from "../../platform/core/auth/permissions.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { ApiKeyRow } from "./api-keys.repository.ts";

type ApiKeyUpdate = components["schemas"]["ApiKeyUpdate"];

/** Reset periods of spend limits, the strictest first. */
const RESET_PERIODS = ["none", "month", "week", "day"];

/**
 * Throws `api_keys.not_the_maker` for changes that a member may not make to another member's key: only its creator may
 * add scopes, and only its creator or an admin of the organization may lift limits. Others may only tighten limits.
 */
export function refuseLoosening(actor: SignedInActor, row: ApiKeyRow, body: ApiKeyUpdate): void {
  if (row.created_by === actor.userId) return;
  if (body.scopes?.some((scope) => !row.scopes.includes(scope)))
    throw errors.apiKeys.notTheMaker({ limit: "only they can give it scopes" });
  if (!hasPermission(actor.role, "manage_organization") && isLessRestrictive(row, body))
    throw errors.apiKeys.notTheMaker({ limit: "only they or an admin of the organization can lift its limits" });
}

function isLessRestrictive(row: ApiKeyRow, body: ApiKeyUpdate): boolean {
  const spendLimit = row.spend_limit_nano_usd === null ? null : BigInt(row.spend_limit_nano_usd);
  return (
    widensList(row.allowed_models, body.allowed_models) ||
    widensList(row.ip_allowlist, body.ip_allowlist) ||
    raisesLimit(row.max_concurrency, body.max_concurrency) ||
    raisesLimit(
      spendLimit,
      body.spend_limit_nano_usd == null ? body.spend_limit_nano_usd : BigInt(body.spend_limit_nano_usd),
    ) ||
    raisesLimit(
      row.expires_at?.getTime() ?? null,
      body.expires_at == null ? body.expires_at : Date.parse(body.expires_at),
    ) ||
    (body.limit_reset !== undefined &&
      RESET_PERIODS.indexOf(body.limit_reset) > RESET_PERIODS.indexOf(row.limit_reset)) ||
    (row.priority === "batch" && body.priority === "interactive") ||
    (row.disabled && body.disabled === false)
  );
}

/** Returns whether an allow-list permits more than before; an empty list permits everything. */
function widensList(before: readonly string[], after: readonly string[] | undefined): boolean {
  if (after === undefined || before.length === 0) return false;
  return after.length === 0 || after.some((entry) => !before.includes(entry));
}

/** Returns whether a limit is higher than before; null is no limit, undefined leaves it unchanged. */
function raisesLimit<T extends number | bigint>(before: T | null, after: T | null | undefined): boolean {
  if (after === undefined || before === null) return false;
  return after === null || after > before;
}
