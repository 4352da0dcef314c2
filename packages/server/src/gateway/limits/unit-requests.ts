import { type AppError, errors } from "../../core/errors/index.ts";
import type { CallerPlan } from "../ports.ts";

/** A request that waits for units, or holds them. */
export type UnitRequest = {
  id: string;
  organizationId: string;
  model: string;
  /** Size of its body in bytes, which stays in memory while it waits. */
  bytes: number;
  /** Units it holds while it runs. */
  cost: number;
  /** Units of the plan; null means no limit. */
  limit: number | null;
  /** Its API key and the units that the key may hold; null without such a limit. */
  key: { id: string; limit: number } | null;
};

/** Units held by one request, until the lease is disposed of. Disposing of it twice is harmless. */
export type Lease = Disposable & {
  /** Units of the organization in use in this process, including these. */
  used: number;
};

/** Returns the error for a request whose units are in use. `used` and `max` are units of the limit named `limitName`. */
export function unitsInUse({ cost, model }: UnitRequest, used: number, max: number, limitName: string): AppError {
  const message = `All units are in use: ${used} of ${max} are busy and ${model} needs ${cost} (${limitName}: ${max}). Try again when a request has ended, or send x-queue-timeout to wait your turn.`;
  return errors.concurrencyLimitExceeded(message, {
    headers: {
      "retry-after": "2",
      "retry-after-ms": "2000",
      "x-concurrency-limit": String(max),
      "x-concurrency-used": String(used),
      "x-concurrency-cost": String(cost),
    },
    details: { limit: max, used, cost, over_by: Math.max(0, used + cost - max) },
  });
}

/** The error for a request that needs more units than the limits ever allow; null for any other. */
export function impossibleCost({ cost, model, limit, key }: UnitRequest): AppError | null {
  const max = computeMaxUnits(limit, key?.limit ?? null);
  if (cost <= max) return null;
  return errors.modelNotOnPlan(
    `${model} needs ${cost} units and you have ${max} (plan limit: ${max}). A larger plan has more.`,
    { details: { limit: max, cost } },
  );
}

/** The most units that one request can hold: the smaller of the plan's limit and the key's, of which null means none. */
export function computeMaxUnits(planLimit: number | null, keyLimit: number | null): number {
  return Math.min(planLimit ?? Number.POSITIVE_INFINITY, keyLimit ?? Number.POSITIVE_INFINITY);
}

/** The concurrency units of a plan for its quantity; null means no limit. */
export function unitsOf({ plan, quantity }: CallerPlan): number | null {
  return plan.concurrency === null ? null : plan.concurrency * quantity;
}
