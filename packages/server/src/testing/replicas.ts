import { sql } from "kysely";
import pg from "pg";
import { inject } from "vitest";
import { clientConfig, type Database } from "../core/db/connect.ts";
import { CHANGES_CHANNEL } from "../core/replicas/changes.ts";
import { type Bus, type BusTopic, LONE_REPLICA, type Replicas } from "../core/replicas/replicas.ts";

type Listener = (message: unknown, from: string) => void;

/** Messages between platforms of one test, in memory. They arrive at once. */
export function createTestBus() {
  const subscriptions: { id: string; topic: BusTopic; listener: Listener }[] = [];
  const reconnectedListeners: (() => void)[] = [];
  let connected = true;

  function deliver(topic: BusTopic, message: unknown, from: string): void {
    if (!connected) return;
    for (const one of subscriptions) if (one.topic === topic && one.id !== from) one.listener(message, from);
  }

  function createBus(id: string): Bus {
    return {
      publish: (topic, message) => deliver(topic, structuredClone(message), id),
      subscribe: (topic, listener) => void subscriptions.push({ id, topic, listener }),
      isConnected: () => connected,
      onReconnected: (listener) => void reconnectedListeners.push(listener),
    };
  }

  return {
    /** What a process of this name knows of the others. */
    join: (id: string): Replicas => ({ ...LONE_REPLICA, isAlone: false, id: () => id, bus: createBus(id) }),
    /** Delivers a message to all. */
    send: (topic: BusTopic, message: unknown) => deliver(topic, message, "nobody"),
    /** Loses all messages from now on. */
    disconnect() {
      connected = false;
    },
    /** Delivers messages again. */
    reconnect() {
      connected = true;
      for (const listener of reconnectedListeners) listener();
    },
  };
}

/** Messages between platforms of one test. */
export type TestBus = ReturnType<typeof createTestBus>;

/** Calls `listener` with the name of each table that the database announces as changed, until the client ends. */
export async function listenForChanges(db: Database, listener: (table: string) => void): Promise<pg.Client> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const client = new pg.Client(clientConfig({ ...inject("postgres"), database: rows[0]?.name ?? "" }));
  await client.connect();
  client.on("notification", ({ payload }) => listener(payload ?? ""));
  await client.query(`listen ${CHANGES_CHANNEL}`);
  return client;
}
