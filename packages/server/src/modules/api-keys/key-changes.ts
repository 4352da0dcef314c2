import type { components } from "@feather/openapi/schema";
import type { SignedIn } from "../../http/actor.ts";
import { allows } from "../../http/permissions.ts";
import { AppError } from "../../shared/errors.ts";
import type { ApiKeyRow } from "./api-keys.repository.ts";

type ApiKeyUpdate = components["schemas"]["ApiKeyUpdate"];

/** Reset periods of spend limits, the strictest first. */
const RESETS = ["none", "month", "week", "day"];

/**
 * Throws `api_keys.not_the_maker` for changes that a member may not make to another member's key: only its creator may
 * add scopes, and only its creator or an admin of the organization may lift limits. Others may only tighten limits.
 */
export function refuseLoosening(actor: SignedIn, row: ApiKeyRow, body: ApiKeyUpdate): void {
  if (row.created_by === actor.userId) return;
  if (body.scopes?.some((scope) => !row.scopes.includes(scope))) throw notTheMaker("only they can give it scopes");
  if (!allows(actor.role, "manage_organization") && isLooser(row, body))
    throw notTheMaker("only they or an admin of the organization can lift its limits");
}

/** 403 `api_keys.not_the_maker`: a key acts as its creator, so only they may get its secret or extend it. */
export function notTheMaker(what: string): AppError {
  return new AppError(403, "api_keys.not_the_maker", `A key acts as the member who made it; ${what}.`);
}

function isLooser(row: ApiKeyRow, body: ApiKeyUpdate): boolean {
  const spendLimit = row.spend_limit_nano_usd === null ? null : BigInt(row.spend_limit_nano_usd);
  return (
    widens(row.allowed_models, body.allowed_models) ||
    widens(row.ip_allowlist, body.ip_allowlist) ||
    raises(row.max_concurrency, body.max_concurrency) ||
    raises(
      spendLimit,
      body.spend_limit_nano_usd == null ? body.spend_limit_nano_usd : BigInt(body.spend_limit_nano_usd),
    ) ||
    raises(
      row.expires_at?.getTime() ?? null,
      body.expires_at == null ? body.expires_at : Date.parse(body.expires_at),
    ) ||
    (body.limit_reset !== undefined && RESETS.indexOf(body.limit_reset) > RESETS.indexOf(row.limit_reset)) ||
    (row.disabled && body.disabled === false)
  );
}

/** Whether an allow-list permits more than before; an empty list permits everything. */
function widens(before: readonly string[], after: readonly string[] | undefined): boolean {
  if (after === undefined || before.length === 0) return false;
  return after.length === 0 || after.some((entry) => !before.includes(entry));
}

/** Whether a limit is higher than before; null is no limit, undefined leaves it unchanged. */
function raises<T extends number | bigint>(before: T | null, after: T | null | undefined): boolean {
  if (after === undefined || before === null) return false;
  return after === null || after > before;
}
