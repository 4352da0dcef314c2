import type { AppError } from "../../platform/core/errors/index.ts";
import { createItemList, type ItemList } from "../../platform/core/item-list.ts";
import type { Claim, PoolId } from "./unit-pools.ts";
import { type Lease, type UnitRequest, unitsInUse } from "./unit-requests.ts";

/** The units that a running request holds. */
type HeldUnits = UnitRequest & { startedAt: Date };
/** A waiting request. */
export type QueueEntry = Claim & { request: UnitRequest; start(lease: Lease): void };
/** The units in use by an organization's requests in this process, and its waiting requests. */
export type Organization = {
  used: number;
  usedByKey: Map<string, number>;
  held: ItemList<HeldUnits>;
  queue: QueueEntry[];
};

/** An organization without requests. */
export function createOrganization(): Organization {
  return { used: 0, usedByKey: new Map(), held: createItemList(), queue: [] };
}

/** The units that other processes hold in the pools of a request. */
export type UsedByOthers = { plan: number; key: number };
/** No units of other processes. */
export const NO_OTHERS: UsedByOthers = { plan: 0, key: 0 };

/** Returns the units that running requests of this process hold in a pool. */
export function sumUsed(organizations: ReadonlyMap<string, Organization>, { organizationId, keyId }: PoolId): number {
  const organization = organizations.get(organizationId);
  return (keyId === null ? organization?.used : organization?.usedByKey.get(keyId)) ?? 0;
}

/** Adds the units of a request; subtracts them if `cost` is negative. */
export function add(organization: Organization, { key }: UnitRequest, cost: number): void {
  organization.used += cost;
  if (key === null) return;
  const used = (organization.usedByKey.get(key.id) ?? 0) + cost;
  if (used > 0) organization.usedByKey.set(key.id, used);
  else organization.usedByKey.delete(key.id);
}

/** Returns whether a request would exceed its limits, counting the units of all processes. */
export function isFull(organization: Organization, { cost, limit, key }: UnitRequest, others: UsedByOthers): boolean {
  if (limit !== null && organization.used + others.plan + cost > limit) return true;
  return key !== null && (organization.usedByKey.get(key.id) ?? 0) + others.key + cost > key.limit;
}

/**
 * Returns the error for a request whose units are in use. It names the limit that applies: that of the plan or that of the
 * key.
 */
export function toUnitsInUseError(organization: Organization, request: UnitRequest, others: UsedByOthers): AppError {
  const { key, limit } = request;
  const used = organization.used + others.plan;
  if (key !== null && !isFull(organization, { ...request, key: null }, others)) {
    const usedByKey = (organization.usedByKey.get(key.id) ?? 0) + others.key;
    if (isFull(organization, request, others))
      return unitsInUse(request, usedByKey, key.limit, "limit of this API key");
  }
  return unitsInUse(request, used, limit ?? 0, "plan limit");
}
