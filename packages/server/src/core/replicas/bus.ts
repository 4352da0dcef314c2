import type pg from "pg";
import { z } from "zod";
import { CHANGES_CHANNEL } from "./changes.ts";
import type { Connection } from "./connection.ts";
import type { Bus, BusTopic } from "./replicas.ts";

/** The channel of messages between replicas. */
const MESSAGES_CHANNEL = "feather_replicas";
/** PostgreSQL refuses payloads of 8,000 bytes and more. */
const MAX_PAYLOAD_BYTES = 7_900;

const envelope = z.object({ origin: z.string(), from: z.string(), topic: z.string(), message: z.unknown() });

/** Topics with the one that replicas tell each other to read who is there. */
type Topic = BusTopic | "replicas";
type Listener = (message: unknown, from: string) => void;

/** A bus on LISTEN and NOTIFY, whose connection is given anew each time it has been opened. */
export type DatabaseBus = Omit<Bus, "publish" | "subscribe"> & {
  /** Resolves when the message is sent, or cannot be. */
  publish(topic: Topic, message: object): Promise<void>;
  subscribe(topic: Topic, listener: Listener): void;
  /** Listens on a new connection. */
  connect(connection: Connection): Promise<void>;
};

type Deps = {
  /** Tells the messages of this process from those of others, for as long as it runs. */
  origin: string;
  /** The id that messages carry. */
  id(): string;
  log: { warn(details: object, message: string): void };
};

/** Creates the bus; nothing is sent or received before `connect`. */
export function createDatabaseBus({ origin, id, log }: Deps): DatabaseBus {
  const listeners = new Map<string, Listener[]>();
  const reconnectListeners: (() => void)[] = [];
  let connection: Connection | null = null;

  const deliver = (topic: string, message: unknown, from: string) => {
    for (const listener of listeners.get(topic) ?? []) listener(message, from);
  };
  const receive = ({ channel, payload = "" }: pg.Notification) => {
    if (channel === CHANGES_CHANNEL) return deliver("changed", { table: payload }, "database");
    const parsed = parseEnvelope(payload);
    if (parsed !== null && parsed.origin !== origin) deliver(parsed.topic, parsed.message, parsed.from);
  };

  return {
    async publish(topic, message) {
      const payload = JSON.stringify({ origin, from: id(), topic, message });
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

function parseEnvelope(payload: string): z.infer<typeof envelope> | null {
  try {
    return envelope.parse(JSON.parse(payload));
  } catch {
    return null; // somebody else uses the channel
  }
}
