import type { Database } from "../platform/core/db/connect.ts";
import type { Bus, BusTopic, Replicas } from "../platform/core/replicas/replicas.ts";

/** A replica in a test, which decides when its lease lapses and its process dies. */
export type TestReplica = {
  replicas: Replicas;
  /** Ends the lease without informing the replica yet. */
  stall(): void;
  /** Ends the lease and informs the replica. The row stays until the replica has a new id and `expire` is called. */
  lapse(): void;
  /** Gives the replica a lease again, under a new id. */
  rejoin(): Promise<void>;
  /** Deletes the rows of the replica's former ids, as other replicas do. */
  expire(): Promise<void>;
  /** Ends the process: it receives no more messages, and others delete its row. */
  crash(): Promise<void>;
};

/** A message on its way from one replica to another. */
type Message = { topic: BusTopic; text: string; from: string; to: Member };
type Member = {
  id: string;
  formerIds: string[];
  holdsLease: boolean;
  onLapsed: (() => void)[];
  listeners: { topic: BusTopic; listener: (message: unknown, from: string) => void }[];
};

/** Replicas that share a test database. The test decides when their messages arrive. */
export type ReplicaNetwork = {
  join(): Promise<TestReplica>;
  /** Messages that have been sent and have not arrived. */
  pending(): number;
  /** Delivers one of the pending messages. */
  deliver(index: number): void;
  /** Loses one of the pending messages. */
  lose(index: number): void;
};

/**
 * Creates a network of replicas that have real rows in the database. It stands in for membership and `NOTIFY`, as far as
 * `Replicas` describes them, so that a test decides when a lease lapses and whether a message arrives.
 */
export function createReplicaNetwork(db: Database): ReplicaNetwork {
  const members = new Set<Member>();
  const messages: Message[] = [];
  let counter = 0;
  const insert = async (): Promise<string> => {
    const id = `replica_${++counter}_${crypto.randomUUID()}`;
    await db
      .insertInto("replicas")
      .values({ id, address: `http://${id}:4001`, can_lead: true })
      .execute();
    return id;
  };
  const remove = async (ids: readonly string[]) => {
    if (ids.length > 0) await db.deleteFrom("replicas").where("id", "in", ids).execute();
  };
  return {
    pending: () => messages.length,
    lose: (index) => void messages.splice(index, 1),
    deliver(index) {
      const [message] = messages.splice(index, 1);
      if (message === undefined || !members.has(message.to)) return;
      const listeners = message.to.listeners.filter(({ topic }) => topic === message.topic);
      for (const { listener } of listeners) listener(JSON.parse(message.text), message.from);
    },
    async join() {
      const member: Member = { id: await insert(), formerIds: [], holdsLease: true, onLapsed: [], listeners: [] };
      members.add(member);
      return {
        replicas: toReplicas(member, members, messages),
        stall() {
          member.holdsLease = false;
        },
        lapse() {
          member.holdsLease = false;
          for (const listener of member.onLapsed) listener();
        },
        async rejoin() {
          member.formerIds.push(member.id);
          member.id = await insert();
          member.holdsLease = true;
        },
        expire: () => remove(member.formerIds.splice(0)),
        crash() {
          members.delete(member);
          return remove([member.id, ...member.formerIds]);
        },
      };
    },
  };
}

function toReplicas(member: Member, members: ReadonlySet<Member>, messages: Message[]): Replicas {
  const others = () => [...members].filter((other) => other !== member && other.holdsLease);
  const bus: Bus = {
    publish(topic, message) {
      const text = JSON.stringify(message);
      for (const to of members) if (to !== member) messages.push({ topic, text, from: member.id, to });
    },
    subscribe: (topic, listener) => void member.listeners.push({ topic, listener }),
    isConnected: () => true,
    onReconnected() {},
  };
  return {
    isAlone: false,
    id: () => member.id,
    holdsLease: () => member.holdsLease,
    isLeader: () => false,
    leader: () => null,
    others: () => others().map(({ id }) => ({ id, address: `http://${id}:4001` })),
    onLapsed: (listener) => void member.onLapsed.push(listener),
    onLeading() {},
    bus,
  };
}
