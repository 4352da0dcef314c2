import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer as createSocketServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeUpstream, startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import type { StartEngine } from "../hosting/runtimes/index.ts";
import type { BusTopic, OtherReplica, Replicas } from "../platform/core/replicas/replicas.ts";
import { openReplicaListener } from "../replicas/replica-listener.ts";
import { followLeader, startHosting } from "../start/hosting.ts";
import { serveReplicas } from "../start/serve-replicas.ts";
import { createTestServer, type TestServerOptions } from "./server.ts";
import { startOtherServer } from "./two-servers.ts";

type Listener = (message: unknown, from: string) => void;
type Member = { address: string | null; listeners: Map<BusTopic, Listener[]>; onLeading: (() => void)[] };

/**
 * Fakes the membership of replicas, without a database: the replicas of one process know each other, and their messages
 * arrive immediately. Tests set the leader.
 */
function createFakeMembership() {
  const members = new Map<string, Member>();
  let leaderId: string | null = null;
  const toOther = (id: string | null): OtherReplica | null => {
    const address = id === null ? null : (members.get(id)?.address ?? null);
    return id === null || address === null ? null : { id, address };
  };
  return {
    join(id: string): Replicas {
      const member: Member = { address: null, listeners: new Map(), onLeading: [] };
      members.set(id, member);
      return {
        isAlone: false,
        id: () => id,
        holdsLease: () => true,
        isLeader: () => leaderId === id,
        leader: () => (leaderId === id ? null : toOther(leaderId)),
        others: () => [...members.keys()].flatMap((other) => (other === id ? [] : (toOther(other) ?? []))),
        onLapsed() {},
        onLeading: (listener) => void member.onLeading.push(listener),
        bus: {
          publish(topic, message) {
            for (const [other, { listeners }] of members)
              if (other !== id) for (const listener of listeners.get(topic) ?? []) listener(message, id);
          },
          subscribe: (topic, listener) =>
            void member.listeners.set(topic, [...(member.listeners.get(topic) ?? []), listener]),
          isConnected: () => true,
          onReconnected() {},
        },
      };
    },
    setAddress(id: string, address: string | null): void {
      const member = members.get(id);
      if (member) member.address = address;
    },
    setLeader(id: string | null): void {
      leaderId = id;
      for (const listener of members.get(id ?? "")?.onLeading ?? []) listener();
    },
  };
}

/** Creates fake engines: behind the socket of each, a fake backend follows this script. */
async function createStubEngines(script: UpstreamScript) {
  const folder = mkdtempSync(join(tmpdir(), "stub-engines-"));
  const upstream: FakeUpstream = await startFakeUpstream(script);
  const { port } = new URL(upstream.baseUrl);
  const servers: Server[] = [];
  const start: StartEngine = (_model, events) => {
    const socketPath = join(folder, String(servers.length));
    const server = createSocketServer((socket) => {
      const backend = connect(Number(port), "127.0.0.1");
      socket.pipe(backend).pipe(socket);
      for (const each of [socket, backend]) {
        each.on("error", () => {});
        each.on("close", () => [socket, backend].forEach((side) => void side.destroy()));
      }
    });
    servers.push(server);
    server.listen(socketPath, () => {
      events.line?.("ready");
      events.ready(socketPath);
    });
    return { stop: async () => void server.close() };
  };
  return {
    start,
    upstream,
    async close(): Promise<void> {
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true, force: true });
      await upstream.close();
    },
  };
}

/** The script of the engines, and options of both servers. */
type Options = { engine?: UpstreamScript; env?: Record<string, string>; server?: TestServerOptions };

/** Two servers on one database: `leader`, which hosts the built-in models, and `other`, which follows it. */
export async function createTestReplicas({ engine = {}, env = {}, server: more = {} }: Options = {}) {
  const membership = createFakeMembership();
  const engines = await createStubEngines(engine);
  const replicas = membership.join("leader");
  const leader = await createTestServer({ ...more, env, startEngine: engines.start, replicas });
  const other = await startOtherServer(leader, { replicas: membership.join("other") });
  const { platform } = other;
  const anywhere = { host: "127.0.0.1", port: 0 };
  const leaderListener = await openReplicaListener(anywhere);
  serveReplicas(leaderListener, leader.platform, leader.app);
  const otherListener = await openReplicaListener(anywhere);
  serveReplicas(otherListener, platform, other.app);
  const addressOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`;
  const addresses = { leader: addressOf(leaderListener), other: addressOf(otherListener) };
  for (const [id, address] of Object.entries(addresses)) {
    membership.setAddress(id, address);
    await leader.db.insertInto("replicas").values({ id, address, can_lead: true }).execute(); // what is borrowed refers to it
  }
  membership.setLeader("leader");
  await startHosting(leader.platform);
  await followLeader(platform);

  return {
    membership,
    engines,
    leader,
    leaderAddress: addressOf(leaderListener),
    other: { ...other, address: addressOf(otherListener) },
    /** Closes the leader's listener immediately, as if its process had died. The other replicas are not informed. */
    killLeaderListener: () => leaderListener.close(AbortSignal.abort()),
    async close(): Promise<void> {
      await Promise.all([leaderListener, otherListener].map((listener) => listener.close(AbortSignal.abort())));
      await other.close();
      await leader.close();
      await engines.close();
    },
  };
}

/** Two running test servers on one database. */
export type TestReplicas = Awaited<ReturnType<typeof createTestReplicas>>;
