import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { inject } from "vitest";
import { clientConfig, type Database } from "../platform/core/db/connect.ts";
import { createDatabaseBus } from "../platform/core/replicas/bus.ts";
import { BURST_MS, CHANGES_CHANNEL } from "../platform/core/replicas/changes.ts";
import { toConnection } from "../platform/core/replicas/connection.ts";
import { LONE_REPLICA, type Replicas } from "../platform/core/replicas/replicas.ts";
import { createServer } from "../server.ts";
import type { ServerOptions } from "../server-options.ts";
import { createCaller, createTestServer, type TestServer, type TestServerOptions } from "./server.ts";

async function openClient(db: Database): Promise<pg.Client> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const client = new pg.Client(clientConfig({ ...inject("postgres"), database: rows[0]?.name ?? "" }));
  await client.connect();
  return client;
}

/** Waits until a client that listens to changes has received all that were committed before. */
async function waitForAnnouncements(db: Database, client: pg.Client): Promise<void> {
  const markers = new EventEmitter();
  const marker = randomUUID();
  const onNotification = ({ payload = "" }: pg.Notification) => void markers.emit(payload);
  client.on("notification", onNotification);
  const arrival = once(markers, marker);
  // Notifications arrive in the order of the commits.
  await sql`select pg_notify(${CHANGES_CHANNEL}, ${marker})`.execute(db);
  await arrival;
  client.off("notification", onNotification);
}

/**
 * Listens to the changes that a database announces, with its own connection. `listener` is called with the names of tables.
 */
export async function listenForChanges(db: Database, listener: (table: string) => void) {
  const client = await openClient(db);
  client.on("notification", ({ payload = "" }) => payload.includes("-") || listener(payload)); // not the markers
  await client.query(`listen ${CHANGES_CHANNEL}`);
  return {
    /** Resolves when all changes that were committed before have been announced. */
    announced: () => waitForAnnouncements(db, client),
    close: () => client.end(),
  };
}

/** A process that receives the database's messages. It neither renews its lease nor looks for other processes. */
function createMember(id: string) {
  const bus = createDatabaseBus({ origin: id, id: () => id, log: { warn() {} } });
  const replicas: Replicas = {
    ...LONE_REPLICA,
    isAlone: false,
    id: () => id,
    bus: { ...bus, publish: (topic, message) => void bus.publish(topic, message) },
  };
  let client: pg.Client | null = null;
  return {
    replicas,
    async join(db: Database): Promise<void> {
      await db.insertInto("replicas").values({ id, address: "http://127.0.0.1:9", can_lead: false }).execute();
    },
    async connect(db: Database): Promise<void> {
      client = await openClient(db);
      await bus.connect(toConnection(client));
    },
    async disconnect(): Promise<void> {
      await client?.end();
      client = null;
    },
    /** Resolves when it has received all changes that were committed before, if it is connected. */
    async announced(db: Database): Promise<void> {
      if (client !== null) await waitForAnnouncements(db, client);
    },
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
    app,
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
      await platform.closePeers();
      await platform.closeParsers();
    },
  };
}

/** Starts two servers on one database, which learn of each other's changes from the database. */
export async function createTwoServers(options: Omit<TestServerOptions, "replicas"> = {}) {
  const [memberA, memberB] = [createMember("a"), createMember("b")];
  const a = await createTestServer({ ...options, replicas: memberA.replicas });
  const { db } = a;
  for (const member of [memberA, memberB]) {
    await member.join(db);
    await member.connect(db);
  }
  const b = await startOtherServer(a, { replicas: memberB.replicas });
  return {
    a,
    b,
    /** Makes the second server lose its messages. */
    disconnect: () => memberB.disconnect(),
    /** Makes the second server receive messages again. */
    reconnect: () => memberB.connect(db),
    /** Resolves when both servers have acted on every change that was committed before and that they were told of. */
    async settled(): Promise<void> {
      await memberA.announced(db);
      await memberB.announced(db);
      // This timer is set after those that pass on the last changes of a burst, so it fires after them.
      await sleep(BURST_MS);
    },
    async close(): Promise<void> {
      await memberA.disconnect();
      await memberB.disconnect();
      await b.close();
      await a.close();
    },
  };
}

/** Two servers on one database. */
export type TwoServers = Awaited<ReturnType<typeof createTwoServers>>;
