import type { Turn } from "./borrowing.ts";

/** Identifies units that requests share: those of an organization's plan (`keyId` is null), or those of an API key. */
export type PoolId = { name: string; organizationId: string; keyId: string | null };

/** Returns the pool of an organization's plan. */
export const planPool = (organizationId: string): PoolId => ({
  name: `organization:${organizationId}`,
  organizationId,
  keyId: null,
});

/** Returns the pool of an API key with its own limit. */
export const keyPool = (organizationId: string, keyId: string): PoolId => ({
  name: `key:${keyId}`,
  organizationId,
  keyId,
});

/** A request that waits for units of a pool. */
export type Claim = Turn & {
  /** Whether the request keeps waiting if no units are returned immediately. */
  waits: boolean;
  /** Called when too few units were free. `mayBeReturned` says whether other replicas may return some soon. */
  attemptFailed(mayBeReturned: boolean): void;
  /** Called when borrowing failed. Ends a request that does not wait. */
  fail(error: unknown): void;
};

/** The requests of this process that use a pool. */
export type PoolUsers = {
  /** Returns the units of the pool that running requests hold. */
  used(pool: PoolId): number;
  /** Returns the requests that wait for units of this pool, in their order. */
  claims(pool: PoolId): Claim[];
  /** Starts those waiting requests of an organization that fit now. */
  serve(organizationId: string): void;
};

/** How much of each pool the requests of this process may hold. */
export type UnitPools = {
  /** Whether other processes use the same pools, so that units have to be borrowed. */
  readonly areShared: boolean;
  /** Returns whether units may be granted at present. */
  isUsable(): boolean;
  /** Records a request for units of a pool, and the pool's limit. */
  touch(pool: PoolId, limit: number): void;
  /** Returns the units that requests of this process may hold together. The limit may be lower. */
  allowance(pool: PoolId): number;
  /** Returns the units in use by other processes, as far as this process can tell without a query. */
  usedByOthers(pool: PoolId): number;
  /** Returns the units that processes other than these replicas have borrowed, used or not. Reads the database. */
  readBorrowedByOthers(pool: PoolId, withoutIds: readonly string[]): Promise<number>;
  /** Borrows units until no request is waiting. */
  seek(pool: PoolId): void;
  /** Returns units that earlier requests of other processes need. Called after a request has ended or was canceled. */
  settle(pool: PoolId): void;
  /** Returns the units that were borrowed for canceled requests. */
  returnUnused(pool: PoolId): void;
};

/** The pools of a process that works on its database alone. Only the limits apply. */
export const UNSHARED_POOLS: UnitPools = {
  areShared: false,
  isUsable: () => true,
  touch() {},
  allowance: () => Number.POSITIVE_INFINITY,
  usedByOthers: () => 0,
  readBorrowedByOthers: async () => 0,
  seek() {},
  settle() {},
  returnUnused() {},
};
