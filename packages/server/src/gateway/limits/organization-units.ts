import type { AppError } from "../../platform/core/errors/index.ts";
import { createItemList, type ItemList } from "../../platform/core/item-list.ts";
import type { Claim, Pool } from "./unit-pools.ts";
import { type Lease, type UnitRequest, unitsInUse } from "./unit-requests.ts";

/** The units that a running request holds. */
type HeldUnits = UnitRequest & { startedAt: Date };
/** A waiting request. */
export type QueueEntry = Claim & { request: UnitRequest; start(lease: Lease): void };
/** The units in use by an organization's requests in this process, and its waiting requests. */
export type Organization = {
  plan: Pool;
  /** The pools of its API keys with limits of their own, by key, while requests use them. */
  keys: Map<string, Pool>;
  held: ItemList<HeldUnits>;
  queue: QueueEntry[];
};

/** An organization without requests. */
export function createOrganization(plan: Pool): Organization {
  return { plan, keys: new Map(), held: createItemList(), queue: [] };
}

/** The units that other processes hold in the pools of a request. */
export type UsedByOthers = { plan: number; key: number };
/** No units of other processes. */
export const NO_OTHERS: UsedByOthers = { plan: 0, key: 0 };

/** Returns whether a request would exceed its limits, counting the units of all processes. */
export function isFull(organization: Organization, { cost, limit, key }: UnitRequest, others: UsedByOthers): boolean {
  if (limit !== null && organization.plan.used + others.plan + cost > limit) return true;
  return key !== null && usedByKey(organization, key.id) + others.key + cost > key.limit;
}

/**
 * Returns the error for a request whose units are in use. It names the limit that applies: that of the plan or that of the
 * key.
 */
export function toUnitsInUseError(organization: Organization, request: UnitRequest, others: UsedByOthers): AppError {
  const { key, limit } = request;
  const isFullForKeyAlone =
    isFull(organization, request, others) && !isFull(organization, { ...request, key: null }, others);
  if (key !== null && isFullForKeyAlone)
    return unitsInUse(request, usedByKey(organization, key.id) + others.key, key.limit, "limit of this API key");
  return unitsInUse(request, organization.plan.used + others.plan, limit ?? 0, "plan limit");
}

const usedByKey = ({ keys }: Organization, keyId: string): number => keys.get(keyId)?.used ?? 0;
