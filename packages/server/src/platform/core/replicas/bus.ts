import type pg from "pg";
import { z } from "zod";
import { CHANGES_CHANNEL } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { PEER_VERSION } from "./peer-version.ts";
import type { Bus, BusTopic } from "./replicas.ts";

/** The channel of messages between replicas. */
const MESSAGES_CHANNEL = "feather_replicas";
/** PostgreSQL refuses payloads of 8,000 bytes and more. */
const MAX_PAYLOAD_BYTES = 7_900;

/** The fields of every version's messages: the sender and its version. */
const sender = z.object({ origin: z.string(), from: z.string(), version: z.number().optional() });
const envelope = sender.extend({ topic: z.string(), message: z.unknown() });
/**
 * The number of replicas of other versions that are remembered, so that each is reported once. Further ones are not
 * reported.
 */
const MAX_REPORTED = 1_000;

/** The public topics, and an internal one that makes replicas read the list of members again. */
type Topic = BusTopic | "replicas";
type Listener = (message: unknown, from: string) => void;

/** A bus on PostgreSQL's LISTEN and NOTIFY. It is given a new connection after each reconnect. */
export type DatabaseBus = Omit<Bus, "publish" | "subscribe"> & {
  /** Resolves when the message was sent or dropped. Rejects with a RangeError if it is longer than PostgreSQL allows. */
  publish(topic: Topic, message: object): Promise<void>;
  subscribe(topic: Topic, listener: Listener): void;
  /** Subscribes to the messages that arrive on a new connection. */
  connect(connection: Connection): Promise<void>;
};

type Deps = {
  /** A random id of this process, by which the process recognizes its own messages. */
  origin: string;
  /** Returns the id of this replica, which its messages carry. */
  id(): string;
  log: { warn(details: object, message: string): void };
};

/** Creates the bus. It sends and receives nothing before `connect`. */
export function createDatabaseBus({ origin, id, log }: Deps): DatabaseBus {
  const listeners = new Map<string, Listener[]>();
  const reported = new Set<string>();
  const reconnectListeners: (() => void)[] = [];
  let connection: Connection | null = null;

  const deliver = (topic: string, message: unknown, from: string) => {
    for (const listener of listeners.get(topic) ?? []) listener(message, from);
  };
  const receive = ({ channel, payload = "" }: pg.Notification) => {
    if (channel === CHANGES_CHANNEL) return deliver("changed", { table: payload }, "database");
    const parsed = parseEnvelope(payload);
    if (parsed === null || parsed.origin === origin) return;
    if (parsed.version === PEER_VERSION) deliver(parsed.topic, parsed.message, parsed.from);
    else reportVersion(parsed);
  };
  const reportVersion = ({ from, version = 0 }: z.infer<typeof sender>) => {
    if (reported.has(from) || reported.size >= MAX_REPORTED) return;
    reported.add(from);
    log.warn({ replica: from, version }, "messages of a replica of another version are not read");
  };

  return {
    async publish(topic, message) {
      const payload = JSON.stringify({ version: PEER_VERSION, origin, from: id(), topic, message });
      if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) throw new RangeError(`A message on ${topic} is too long.`);
      await connection?.query("select pg_notify($1, $2)", [MESSAGES_CHANNEL, payload]).catch((error: unknown) => {
        log.warn({ err: error, topic }, "a message to the other replicas could not be sent");
      });
    },
    subscribe(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
    },
    isConnected: () => connection !== null,
    onReconnected: (listener) => void reconnectListeners.push(listener),
    async connect(next) {
      next.client.on("notification", receive);
      next.client.once("end", () => {
        if (connection === next) connection = null;
      });
      await next.query(`listen ${MESSAGES_CHANNEL}`);
      await next.query(`listen ${CHANGES_CHANNEL}`);
      connection = next;
      for (const listener of reconnectListeners) listener();
    },
  };
}

/**
 * Returns the envelope of a message. For another version, only the sender is read. Null for text that no replica has sent.
 */
function parseEnvelope(payload: string): z.infer<typeof envelope> | null {
  try {
    const json: unknown = JSON.parse(payload);
    const known = sender.parse(json);
    return known.version === PEER_VERSION ? envelope.parse(json) : { ...known, topic: "", message: null };
  } catch {
    return null; // not a message of a replica
  }
}
