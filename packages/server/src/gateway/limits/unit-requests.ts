import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { CallerPlan } from "../ports.ts";
import type { Priority } from "./priority.ts";

/** A request for units, which waits for them or holds them. */
export type UnitRequest = {
  id: string;
  organizationId: string;
  model: string;
  /** The size of its body in bytes. The body stays in memory while the request waits. */
  bytes: number;
  /** The units that it holds while it runs. */
  cost: number;
  /** The plan's limit of units; null without a limit. */
  limit: number | null;
  /** Whether it goes before others that wait. */
  priority: Priority;
  /** Its API key and the key's limit of units; null without such a limit. */
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

/** Returns the error for a request that needs more units than its limits allow; null for any other request. */
export function impossibleCost({ cost, model, limit, key }: UnitRequest): AppError | null {
  const max = computeMaxUnits(limit, key?.limit ?? null);
  if (cost <= max) return null;
  return errors.modelNotOnPlan(
    `${model} needs ${cost} units and you have ${max} (plan limit: ${max}). A larger plan has more.`,
    { details: { limit: max, cost } },
  );
}

/** Returns the most units that one request can hold: the smaller of the plan's and the key's limit. Null means no limit. */
export function computeMaxUnits(planLimit: number | null, keyLimit: number | null): number {
  return Math.min(planLimit ?? Number.POSITIVE_INFINITY, keyLimit ?? Number.POSITIVE_INFINITY);
}

/** Returns the units of a plan for its quantity; null without a limit. */
export function unitsOf({ plan, quantity }: CallerPlan): number | null {
  return plan.concurrency === null ? null : plan.concurrency * quantity;
}
