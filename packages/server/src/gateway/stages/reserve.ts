import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { errors, hasCode } from "../../platform/core/errors/index.ts";
import type { ResolvedCall } from "../call.ts";
import { countPrompts } from "../formats/token-estimates.ts";
import { getPriority } from "../limits/priority.ts";
import { computeMaxUnits, type Lease, type UnitRequest, unitsOf } from "../limits/unit-requests.ts";
import type { Units } from "../limits/units.ts";

type Deps = {
  units: Units;
  /** Called when an organization was refused because its units are in use. */
  onRefused(organizationId: string): void;
};

type UnitCall = Pick<ResolvedCall, "id" | "actor" | "model" | "cost" | "plan">;

/**
 * Reserves the units of a call, and waits for them as long as the caller allows. Throws `concurrency_limit_exceeded`, and
 * `model_not_on_plan` or `invalid_request` for a call that needs more than the limits allow.
 */
export async function reserveUnits({ units, onRefused }: Deps, call: ResolvedCall): Promise<Lease> {
  const { organizationId } = call.actor;
  const waitMs = Number(call.exchange.headers["x-queue-timeout"] ?? 0) * 1000;
  const request = toUnitRequest(call, call.exchange.bodyBytes);
  refuseTooManyAnswers(call, request);
  try {
    const lease = await units.acquire(request, waitMs, call.signal);
    const { responseHeaders } = call.exchange;
    responseHeaders["x-concurrency-cost"] = call.cost;
    responseHeaders["x-concurrency-used"] = lease.used;
    if (request.limit !== null) responseHeaders["x-concurrency-limit"] = request.limit;
    return lease;
  } catch (error) {
    if (hasCode(error, "concurrency_limit_exceeded")) onRefused(organizationId);
    throw error;
  }
}

/** Returns the limit of units of a caller's API key; null without such a limit. */
export function getKeyUnits({ credential }: SignedInActor): number | null {
  return credential.type === "key" ? credential.limits.maxConcurrency : null;
}

/** Returns the units that a call with a body of the given size needs, and the limits that apply to them. */
export function toUnitRequest({ id, actor, model, cost, plan }: UnitCall, bytes: number): UnitRequest {
  const { credential, organizationId } = actor;
  const keyLimit = getKeyUnits(actor);
  const key = credential.type === "key" && keyLimit !== null ? { id: credential.id, limit: keyLimit } : null;
  const priority = getPriority({ actor, plan });
  return { id, organizationId, model: model.id, bytes, cost, limit: unitsOf(plan), priority, key };
}

/** Throws `invalid_request` if one answer fits the limit, but not all requested answers: each holds the units of one call. */
function refuseTooManyAnswers({ body, cost, model }: ResolvedCall, { limit, key }: UnitRequest): void {
  const maxUnits = computeMaxUnits(limit, key?.limit ?? null);
  if (cost <= maxUnits || model.cost > maxUnits) return;
  const answers = Math.floor(maxUnits / model.cost);
  const [noun, param] = countPrompts(body) > 1 ? ["prompt", "prompt"] : ["answer", "n"];
  throw errors.invalidRequest(
    `Each ${noun} holds ${model.cost} of your ${maxUnits} units: ask for at most ${answers} at once (plan limit: ${maxUnits}).`,
    { param, details: { limit: maxUnits, cost, answers } },
  );
}
