/** A server process that works on the same database as this one. */
export type OtherReplica = {
  id: string;
  /** The address on which it listens for other replicas, such as `http://10.0.0.5:4001`. */
  address: string;
};

/** Messages between the replicas of one database. They may be lost, so replicas must not rely on them alone. */
export type Bus = {
  /**
   * Sends a message to all other replicas. Its JSON may have up to 4,000 bytes. While the database cannot be reached, the
   * message is dropped.
   */
  publish(topic: BusTopic, message: object): void;
  /** Calls `listener` with each message of other replicas on a topic. The message is untrusted: validate it. */
  subscribe(topic: BusTopic, listener: (message: unknown, from: string) => void): void;
  /** Returns whether messages arrive at present. While they do not, caches must be short-lived. */
  isConnected(): boolean;
  /** Calls `listener` after each connection, since messages before it may have been lost. */
  onReconnected(listener: () => void): void;
};

/** The topics of messages between replicas. */
export type BusTopic = "units-wanted" | "units-returned" | "changed" | "hosting";

/** This process and the other processes that work on the same database. */
export type Replicas = {
  /** Whether this process is the only one that may work on the database. Never changes. */
  readonly isAlone: boolean;
  /** Returns the id under which this replica borrows. It is a new one after the lease has lapsed. */
  id(): string;
  /**
   * Returns whether the lease of this replica is valid, so that it owns what it has borrowed. Other replicas take that over
   * only some time after this has become false.
   */
  holdsLease(): boolean;
  /** Returns whether this replica leads, so that it runs jobs, local models and deployments. */
  isLeader(): boolean;
  /** Returns the leading replica; null if this one leads or there is none. */
  leader(): OtherReplica | null;
  /** Returns the other replicas whose leases have not expired. */
  others(): readonly OtherReplica[];
  /**
   * Calls `listener` when this replica joins again after its lease has lapsed. It does not own what it borrowed under its
   * old id.
   */
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

/** The replicas of a server that works alone on its database: it always leads, and its messages go nowhere. */
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
