/** A server process that works on the same database as this one. */
export type OtherReplica = {
  id: string;
  /** Where it listens for other replicas, such as `http://10.0.0.5:4001`. */
  address: string;
};

/** Messages between the replicas of one database. They may be lost: what counts is in the database. */
export type Bus = {
  /**
   * Sends a message to all other replicas. At most 4,000 bytes of JSON. Never throws: while the database cannot be
   * reached, nothing is sent.
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

/** What this process knows of itself and of the other processes that work on the same database. */
export type Replicas = {
  /** Whether this process is the only one that may work on the database. Never changes. */
  readonly isAlone: boolean;
  /** The id under which this replica borrows; a new one each time its lease has lapsed. */
  id(): string;
  /**
   * Whether the lease of this replica holds: what it has borrowed is its own. Others may take it away a while after this
   * has become false, and not before.
   */
  holdsLease(): boolean;
  /** Whether jobs, local models and deployments are this replica's to run. */
  isLeader(): boolean;
  /** The replica that leads, unless it is this one; null while there is none. */
  leader(): OtherReplica | null;
  /** The other replicas whose leases hold. */
  others(): readonly OtherReplica[];
  /** Calls `listener` when the lease has lapsed: what was borrowed under the old id is no longer this replica's. */
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

/** For a server that works on its database alone: it always leads, and nothing has to be shared. */
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
