/** A server process that works on the same database as this one. */
export type OtherReplica = {
  id: string;
  /** Where it listens for other replicas, such as `http://10.0.0.5:4001`. */
  address: string;
};

/** Messages between the replicas of one database. They may be lost, so the database is the source of truth. */
export type Bus = {
  /**
   * Sends a message of at most 4,000 bytes of JSON to all other replicas. Never throws: while the database cannot be
   * reached, the message is dropped.
   */
  publish(topic: BusTopic, message: object): void;
  /** Calls `listener` with each message of other replicas on a topic. Messages are data: check them. */
  subscribe(topic: BusTopic, listener: (message: unknown, from: string) => void): void;
  /** Whether messages arrive now. While they do not, caches must be short-lived. */
  isConnected(): boolean;
  /** Calls `listener` when messages arrive again after some may have been lost. */
  onReconnected(listener: () => void): void;
};

/** The topics of messages between replicas. */
export type BusTopic = "units-wanted" | "units-returned" | "changed" | "hosting";

/** This process and the other processes that work on the same database. */
export type Replicas = {
  /** Whether this process is the only one that may work on the database. Never changes. */
  readonly isAlone: boolean;
  /** The id under which this replica borrows; a new one each time its lease has lapsed. */
  id(): string;
  /**
   * Returns whether the lease of this replica is valid, so that it owns what it has borrowed. Others may take that over some
   * time after this has become false, and not before.
   */
  holdsLease(): boolean;
  /** Whether jobs, local models and deployments are this replica's to run. */
  isLeader(): boolean;
  /** Returns the leading replica; null if this one leads or there is none. */
  leader(): OtherReplica | null;
  /** The other replicas whose leases hold. */
  others(): readonly OtherReplica[];
  /** Calls `listener` when the lease has expired: this replica no longer owns what it borrowed under its old id. */
  onLapsed(listener: () => void): void;
  /** Calls `listener` when this replica becomes the leader. */
  onLeading(listener: () => void): void;
  bus: Bus;
};

const SILENT_BUS: Bus = {
  publish() {},
  subscribe() {},
  isConnected: () => true,
  onReconnected() {},
};

/** The replicas of a server that is alone on its database: it always leads, and shares nothing. */
export const LONE_REPLICA: Replicas = {
  isAlone: true,
  id: () => "alone",
  holdsLease: () => true,
  isLeader: () => true,
  leader: () => null,
  others: () => [],
  onLapsed() {},
  onLeading() {},
  bus: SILENT_BUS,
};
