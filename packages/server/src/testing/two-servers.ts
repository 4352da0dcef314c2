import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { inject } from "vitest";
import { clientConfig, type Database } from "../core/db/connect.ts";
import { BURST_MS, CHANGES_CHANNEL } from "../core/replicas/changes.ts";
import { type Bus, type BusTopic, LONE_REPLICA, type Replicas } from "../core/replicas/replicas.ts";
import type { ServerOptions } from "../modules.ts";
import { createServer } from "../server.ts";
import { createCaller, createTestServer, type TestServer, type TestServerOptions } from "./server.ts";

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

/** Reads what a database announces as changed, with a connection of its own. */
export async function listenForChanges(db: Database, listener: (table: string) => void) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const client = new pg.Client(clientConfig({ ...inject("postgres"), database: rows[0]?.name ?? "" }));
  const arrivals = new EventEmitter();
  client.on("notification", ({ payload = "" }) => {
    if (!arrivals.emit(payload)) listener(payload);
  });
  await client.connect();
  await client.query(`listen ${CHANGES_CHANNEL}`);

  return {
    /** Resolves when all that was committed before has been announced: announcements keep the order of commits. */
    async announced(): Promise<void> {
      const marker = randomUUID();
      const arrival = once(arrivals, marker);
      await sql`select pg_notify(${CHANGES_CHANNEL}, ${marker})`.execute(db);
      await arrival;
    },
    close: () => client.end(),
  };
}

/** Starts a second server on the database of a test server. */
export async function startOtherServer(
  server: Pick<TestServer, "createOtherPlatform">,
  overrides: Partial<ServerOptions> = {},
) {
  const platform = server.createOtherPlatform(overrides);
  const app = await createServer(platform, platform.handlers);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    ...createCaller(url),
    url,
    platform,
    api: platform.api,
    async close(): Promise<void> {
      app.server.closeAllConnections();
      await app.close();
      await Promise.all([platform.api.gateway.usageWriter.flush(), platform.api.usage.refusals.flush()]);
      await platform.api.webhooks.stop();
      await platform.api.deployments.stop();
      await platform.api.modelHost.stop();
      await platform.api.backends.registry.close();
    },
  };
}

/** Two servers on one database, which hear of each other's changes as the database announces them. */
export async function createTwoServers(options: Omit<TestServerOptions, "replicas"> = {}) {
  const bus = createTestBus();
  const a = await createTestServer({ ...options, replicas: bus.join("a") });
  const b = await startOtherServer(a, { replicas: bus.join("b") });
  const changes = await listenForChanges(a.db, (table) => bus.send("changed", { table }));
  return {
    a,
    b,
    bus,
    /** Resolves when both servers have acted on every change that was committed before. */
    async settled(): Promise<void> {
      await changes.announced();
      // Set after the timers that pass on the last changes of a burst, so it ends after them.
      await sleep(BURST_MS);
    },
    async close(): Promise<void> {
      await changes.close();
      await b.close();
      await a.close();
    },
  };
}

/** Two servers on one database. */
export type TwoServers = Awaited<ReturnType<typeof createTwoServers>>;
