import type { Shortage, Turn } from "./borrowing.ts";
import type { Counter } from "./counter.ts";
import type { Priority } from "./priority.ts";

/** A shortage of another replica, and when it expires, on the monotonic clock. */
export type KnownShortage = Shortage & { expiresAt: number };

/** Units that requests share: those of an organization's plan, or those of an API key with a limit of its own. */
export type Pool = Counter & {
  /** Identifies the pool among all processes. */
  name: string;
  organizationId: string;
  limit: number;
  /** The units that other replicas had borrowed when this one borrowed last. */
  usedByOthers: number;
  /** Whether `borrowed` must be compared with a lowered limit before units are granted. */
  isUnchecked: boolean;
  /** The shortages of other replicas, by replica. */
  shortages: Map<string, KnownShortage>;
  /** Whether units are being borrowed for waiting requests, or their return is awaited. */
  phase: "idle" | "borrowing" | "waiting";
  /** Ends the wait for returned units in the given number of milliseconds. */
  wakeIn(ms: number): void;
  /** Whether other replicas have received a shortage message that has not been withdrawn. */
  hasPublished: boolean;
  /** Resolves when the last write of the row has ended. */
  lastWrite: Promise<void>;
  /** Whether a write that reduces the row is pending. */
  isReturning: boolean;
  /** Whether the row may be larger than `borrowed`, because writing it failed. */
  isRowTooLarge: boolean;
  /** Ticks since the last request. */
  idleTicks: number;
};

const NO_SHORTAGES = new Map<string, KnownShortage>();
const NO_WRITE = Promise.resolve();
const noWait = () => {};

/** Creates a pool of which this process has borrowed the given number of units. */
export function createPool(name: string, organizationId: string, borrowed: number): Pool {
  return {
    name,
    organizationId,
    used: 0,
    borrowed,
    limit: 0,
    usedByOthers: 0,
    isUnchecked: false,
    shortages: NO_SHORTAGES,
    phase: "idle",
    wakeIn: noWait,
    hasPublished: false,
    lastWrite: NO_WRITE,
    isReturning: false,
    isRowTooLarge: false,
    idleTicks: 0,
  };
}

/** A request that waits for units of a pool. */
export type Claim = Turn & {
  priority: Priority;
  /** Whether the request keeps waiting if no units are returned immediately. */
  waits: boolean;
  /** Called when too few units were free. `mayBeReturned` says whether other replicas may return some soon. */
  attemptFailed(mayBeReturned: boolean): void;
  /** Called when borrowing failed. Ends a request that does not wait. */
  fail(error: unknown): void;
};

/** The waiting requests of this process. */
export type PoolUsers = {
  /** Returns the requests that wait for units of this pool, in their order. */
  claims(pool: Pool): Claim[];
  /** Starts those waiting requests of the pool's organization that fit now. */
  serve(pool: Pool): void;
};

/** Borrows the units of this process, and returns them. */
export type UnitPools = {
  /** Whether other processes use the same pools, so that units have to be borrowed. */
  readonly areShared: boolean;
  /** Returns whether units may be granted at present. */
  isUsable(): boolean;
  /** Returns the pool of a name. */
  open(name: string, organizationId: string): Pool;
  /** Records a request for units of a pool, and the pool's limit. */
  touch(pool: Pool, limit: number): void;
  /** Returns the units that requests of this process may hold together. The limit may be lower. */
  allowance(pool: Pool): number;
  /** Returns the units that processes other than these replicas have borrowed, used or not. Reads the database. */
  readBorrowedByOthers(pool: Pool, withoutIds: readonly string[]): Promise<number>;
  /** Borrows units until no request is waiting. */
  seek(pool: Pool): void;
  /** Returns units that earlier requests of other processes need. Called after a request has ended or was canceled. */
  settle(pool: Pool): void;
  /** Returns the units that were borrowed for canceled requests. */
  returnUnused(pool: Pool): void;
};

/** The pools of a process that works on its database alone. Only the limits apply. */
export const UNSHARED_POOLS: UnitPools = {
  areShared: false,
  isUsable: () => true,
  open: (name, organizationId) => createPool(name, organizationId, Number.POSITIVE_INFINITY),
  touch() {},
  allowance: ({ borrowed }) => borrowed,
  readBorrowedByOthers: async () => 0,
  seek() {},
  settle() {},
  returnUnused() {},
};
