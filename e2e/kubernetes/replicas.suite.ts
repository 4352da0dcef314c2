import { writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { createFeather, type Feather } from "@feather/sdk";
import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { isInstalled } from "../deploy/installed.ts";
import { type Callers, type CallTarget, type Seen, startCallers, stream } from "../faults/callers.ts";
import { MODEL, SLOW } from "../faults/environment.ts";
import { holdAllUnits } from "../faults/units.ts";
import { signInAsAdmin } from "../support/accounts.ts";
import { ADMIN } from "../support/platform.ts";
import { startDatabase } from "./database.ts";
import { loadServerImage, runCtr, SERVER_IMAGE, SERVER_TAG } from "./images.ts";
import { CHART, createRelease, type Release, type ServerPod } from "./release.ts";

const REPLICAS = 3;
/** More callers than there are units, so that limits are reached all the time. */
const CALLERS = 12;
const SOME = 40;
/** Of one stream, 20 a second: it outlasts the shutdown delay of the pod that it is on. */
const STREAM_TOKENS = 160;
const SHUTDOWN_DELAY_S = 5;
/** Connections to the Service, enough that each pod gets some. */
const CONNECTIONS = 40;
/** Within this time another replica leads, and the units of a dead one are back. */
const TAKEOVER_LIMIT_MS = 20_000;
const POLL = { timeout: 120_000, interval: 500 };
/** Where the node can be reached from its pods. */
const NODE_ADDRESS = "10.244.0.1";
/** Statuses of calls that were served, or found all units taken. */
const SERVED = [200, 429];
/** With what callers see whose pod has died; 503 while the lease of the leader has not ended. */
const SERVED_OR_BROKEN = [...SERVED, 0, 502, 503];

const cluster = inject("cluster");
let release: Release;
let backend: FakeUpstream;
let token: string;
let service: CallTarget;

if (!isInstalled("helm", ["version"]))
  test("the chart is installed with three replicas", (context) => context.skip("helm is not installed"));
else
  describe("the chart with three replicas", () => {
    beforeAll(async () => {
      loadServerImage(cluster.state);
      release = createRelease(cluster, "replicas");
      const database = await startDatabase(release);
      backend = await startFakeUpstream(SLOW, [MODEL], NODE_ADDRESS);
      await release.apply([secret(database)]);
      console.log(await release.helm("install", release.name, CHART, "--values", writeValues()));
      await release.waitForRollout();
      const address = await release.kubectl("get", "service", release.name, "-o", "jsonpath={.spec.clusterIP}");
      const url = `http://${address}`;
      const admin = await signInAsAdmin(url);
      token = admin.token;
      const { secret: key } = await admin.feather.apiKeys.create({ name: "callers" });
      service = { url, key };
    });
    afterAll(async () => {
      await release?.helm("uninstall", release.name, "--wait");
      await release?.kubectl("delete", "pod", "database", "--grace-period=1");
      await backend?.close();
    });

    test("are members of each other, with one leader, and all answer at the Service", async () => {
      const pods = await waitForPods();
      const leader = await findLeader(pods);
      console.log(await release.kubectl("get", "pods,endpointslices", "-o", "wide"), `leader: ${leader.name}`);
      const ids = await Promise.all(Array.from({ length: CONNECTIONS }, readIdAtService));
      expect(new Set(ids).size).toBe(REPLICAS);
    });

    test("never lend more units than there are", async () => {
      const seen = await callDuring(async () => {});
      expectOnly(seen, SERVED);
      await holdAllUnits(service, backend);
    });

    test("lose no call and no stream when pods are deleted one after the other", async () => {
      const seen = await callDuring(async (callers) => {
        for (const { name } of await waitForPods()) {
          const streams = openStreams(await waitForPods());
          await release.kubectl("delete", "pod", name, "--wait=false");
          await waitForPods([name]);
          expect(await streams).toEqual([1, 1, 1]);
          await callers.answered(SOME);
        }
      });
      console.log(`deleted: ${describeSeen(seen)}`);
      expectOnly(seen, SERVED);
      await findLeader(await waitForPods());
      await holdAllUnits(service, backend);
    });

    test("lose only the connections of the leader when its deletion is forced", async () => {
      const pods = await waitForPods();
      const victim = await findLeader(pods);
      const seen = await callDuring(async (callers) => {
        const streams = openStreams(pods);
        await release.kubectl("delete", "pod", victim.name, "--grace-period=0", "--force");
        const complete = await streams;
        expect(complete.filter((_, index) => pods[index]?.name !== victim.name)).toEqual([1, 1]);
        await waitForPods([victim.name]);
        await callers.answered(SOME);
      });
      console.log(`deleted by force: ${describeSeen(seen)}`);
      expectOnly(seen, SERVED_OR_BROKEN);
      await findLeader(await waitForPods());
      await holdAllUnits(service, backend);
    });

    test("have another leader and all units within 20 s after the leader was killed", async () => {
      const pods = await waitForPods();
      const leader = await findLeader(pods);
      const others = pods.filter(({ name }) => name !== leader.name);
      const before = await readLeaderId(leader);
      const seen = await callDuring(async () => {
        const streams = openStreams(others);
        killContainer(leader);
        const startedAt = performance.now();
        await vi.waitFor(async () => expect(await readLeaderId(others[0])).not.toBeOneOf([before, undefined]), POLL);
        const tookMs = performance.now() - startedAt;
        console.log(`another leader after ${(tookMs / 1000).toFixed(1)} s`);
        expect(tookMs).toBeLessThan(TAKEOVER_LIMIT_MS);
        expect(await streams).toEqual([1, 1]);
        await waitForPods();
      });
      console.log(`killed: ${describeSeen(seen)}`);
      expectOnly(seen, SERVED_OR_BROKEN);
      await findLeader(await waitForPods());
      expect(await holdAllUnits(service, backend)).toBeLessThan(TAKEOVER_LIMIT_MS);
    });

    test.each([
      ["an upgrade", () => ["upgrade", release.name, CHART, "--values", writeValues(), "--set", "drainTimeout=25"]],
      ["a rollback", () => ["rollback", release.name, "1"]],
    ])("lose no call and no stream through %s", async (_name, command) => {
      const before = await waitForPods();
      let isDone = false;
      const seen = await callDuring(async () => {
        const streams = streamUntil(() => isDone);
        await release.helm(...command());
        await release.waitForRollout();
        await waitForPods(before.map(({ name }) => name));
        isDone = true;
        const { begun, complete } = await streams;
        console.log(`${complete} of ${begun} streams`);
        expect(complete).toBe(begun);
      });
      console.log(describeSeen(seen));
      expectOnly(seen, SERVED);
      await findLeader(await waitForPods());
      await holdAllUnits(service, backend);
    });

    // A drain evicts every pod of a node. Of the only node there is none could start again elsewhere, so pods are evicted
    // while the node takes new ones.
    test("lose no call when pods are evicted, of which the budget lets go one at a time", async () => {
      const [first, second] = await waitForPods();
      const seen = await callDuring(async (callers) => {
        await evict(first);
        await expect(evict(second)).rejects.toThrow(/disruption budget/);
        await waitForPods([first?.name ?? ""]);
        await callers.answered(SOME);
      });
      console.log(`evicted: ${describeSeen(seen)}`);
      expectOnly(seen, SERVED);
      await holdAllUnits(service, backend);
    });
  });

function writeValues(): string {
  return release.writeValues({
    image: { repository: SERVER_IMAGE, tag: SERVER_TAG, pullPolicy: "Never" },
    publicUrl: "https://models.example.com",
    replicas: REPLICAS,
    existingSecrets: ["settings"],
    resources: { requests: { cpu: "50m", memory: "256Mi" }, limits: { memory: "1Gi" } },
    podDisruptionBudget: { enabled: true },
    shutdownDelay: SHUTDOWN_DELAY_S,
    settings: {
      FEATHER_DISCOVER: "off",
      FEATHER_STARTER_MODEL: "off",
      FEATHER_HUB_REFRESH: "off",
      FEATHER_PRELOAD: "off", // no call is to a model of the server's own
      FEATHER_RATE_LIMITS: "off",
    },
  });
}

function secret(database: object) {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "settings" },
    stringData: {
      ...database,
      FEATHER_SECRET: "a secret of thirty-two characters",
      FEATHER_ADMIN_EMAIL: ADMIN.email,
      FEATHER_ADMIN_PASSWORD: ADMIN.password,
      FEATHER_BACKENDS: JSON.stringify([{ name: "slow", base_url: backend.baseUrl, models: [MODEL] }]),
    },
  };
}

const adminAt = (baseUrl: string): Feather => createFeather({ baseUrl, token, maxRetries: 0 });

/** Waits until all replicas are ready and none has one of these names. */
function waitForPods(gone: readonly string[] = []): Promise<ServerPod[]> {
  return vi.waitFor(async () => {
    const pods = await release.pods();
    expect(pods.map(({ name, isReady }) => isReady && !gone.includes(name))).toEqual(Array(REPLICAS).fill(true));
    return pods;
  }, POLL);
}

/** Waits until all pods know the same replicas, of which one leads. Returns the pod that does. */
function findLeader(pods: readonly ServerPod[]): Promise<ServerPod> {
  return vi.waitFor(async () => {
    const views = await Promise.all(pods.map(async ({ url }) => (await adminAt(url).admin.operations()).replicas));
    const members = views.map((view) => view.map(({ id, is_leader }) => `${id} ${is_leader}`).sort());
    expect(members).toEqual(views.map(() => members[0]));
    expect(members[0]).toHaveLength(REPLICAS);
    expect(members[0]?.filter((member) => member.endsWith("true"))).toHaveLength(1);
    const leader = pods[views.findIndex((view) => view.some(({ is_self, is_leader }) => is_self && is_leader))];
    if (!leader) throw new Error("No pod says that it leads.");
    return leader;
  }, POLL);
}

/** Returns the id of the leader, as a pod sees it; undefined while there is none. */
async function readLeaderId(pod: ServerPod | undefined): Promise<string | undefined> {
  const { replicas } = await adminAt(pod?.url ?? "").admin.operations();
  return replicas.find(({ is_leader }) => is_leader)?.id;
}

/** Returns the id of the replica that answers a connection to the Service. */
async function readIdAtService(): Promise<string | undefined> {
  const options = { agent: false, headers: { authorization: `Bearer ${token}` } };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${service.url}/api/admin/operations`, options, resolve).once("error", reject);
  const { replicas } = (await json(await promise)) as { replicas: { id: string; is_self: boolean }[] };
  return replicas.find(({ is_self }) => is_self)?.id;
}

/** Opens a stream at each pod. Resolves with 1 for each that was complete, otherwise 0, in the order of the pods. */
function openStreams(pods: readonly ServerPod[]): Promise<number[]> {
  return Promise.all(pods.map(({ url }) => stream({ ...service, url }, 1, STREAM_TOKENS)));
}

/** Streams at the Service, two at a time, until the work is done. */
async function streamUntil(isDone: () => boolean): Promise<{ begun: number; complete: number }> {
  const counts = { begun: 0, complete: 0 };
  while (!isDone()) {
    counts.begun += 2;
    counts.complete += await stream(service, 2, STREAM_TOKENS);
  }
  return counts;
}

/** Runs the work while callers call, and some more calls afterwards. */
async function callDuring(work: (callers: Callers) => Promise<void>): Promise<Seen> {
  const callers = startCallers(service, CALLERS);
  try {
    await callers.answered(SOME);
    await work(callers);
    await callers.answered(SOME);
  } finally {
    await callers.stop();
  }
  return callers.seen;
}

/** Kills the server of a pod as the kernel does when memory runs out. */
function killContainer({ containerId }: ServerPod): void {
  const tasks = runCtr(cluster.state, "tasks", "ls").split("\n");
  const line = tasks.find((text) => text.startsWith(containerId)) ?? "";
  process.kill(Number(line.split(/\s+/)[1]), "SIGKILL");
}

/** What a drain asks for each pod of a node. */
async function evict(pod: ServerPod | undefined): Promise<void> {
  const { namespace } = release;
  const file = join(cluster.state, "eviction.json");
  const metadata = { name: pod?.name, namespace };
  writeFileSync(file, JSON.stringify({ apiVersion: "policy/v1", kind: "Eviction", metadata }));
  await release.kubectl("create", "--raw", `/api/v1/namespaces/${namespace}/pods/${pod?.name}/eviction`, "-f", file);
}

function expectOnly({ statuses }: Seen, allowed: readonly number[]): void {
  expect([...statuses].filter(([status]) => !allowed.includes(status))).toEqual([]);
}

function describeSeen({ statuses }: Seen): string {
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  return sorted.map(([status, count]) => `${count} × ${status === 0 ? "broken" : status}`).join(", ");
}
