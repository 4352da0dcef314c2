import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { kubectl } from "./cluster.ts";
import { runCtr } from "./images.ts";
import { installKinds, removeKind } from "./leader-worker-sets.ts";
import { expectRecorded } from "./recorded-schemas.ts";
import { LEADER_WORKER_SET_DOCUMENTS } from "./schemas.ts";

const MODEL = "Qwen/Qwen3-4B";
const HARDWARE = [
  {
    id: "two-nodes",
    gpu: "Test GPU",
    gpu_count: 1,
    vram_gb: 24,
    gpu_resource: "example.com/gpu",
    nodes: 2,
    cpu: "50m",
    memory: "256Mi",
    shared_memory: "16Mi",
    hourly_nano_usd: "2000000000",
  },
];
const DEPLOYMENT = {
  name: "large",
  provider_id: "kubernetes",
  region: "cluster",
  instance_type: "two-nodes",
  model_id: MODEL,
  min_replicas: 1,
  max_replicas: 1,
};
const ALL_KINDS =
  "leaderworkersets,deployments,statefulsets,pods,services,secrets,poddisruptionbudgets,networkpolicies,endpointslices,controllerrevisions";
const POLL = { timeout: 120_000, interval: 300 };

const cluster = inject("cluster");
let folder: string;
let platform: Platform;
let feather: Feather;
let token: string;
let id: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-groups-"));
  chmodSync(folder, 0o711); // the database runs as another user
  platform = await startPlatform(join(folder, "data"), {
    FEATHER_KUBERNETES: cluster.serverKubeconfig,
    FEATHER_KUBERNETES_NAMESPACE: cluster.namespace,
    FEATHER_KUBERNETES_VLLM_IMAGE: cluster.vllmImage,
    FEATHER_KUBERNETES_PULL_POLICY: "Never",
    FEATHER_KUBERNETES_HARDWARE: JSON.stringify(HARDWARE),
  });
  ({ token, feather } = await signInAsAdmin(platform.baseUrl));
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  rmSync(folder, { recursive: true, force: true });
});

test("the stand-in's schema of a LeaderWorkerSet is that of this cluster", () =>
  expectRecorded(cluster, LEADER_WORKER_SET_DOCUMENTS));

test("a deployment on two nodes answers, and says what it takes of both", async () => {
  const { items } = await feather.deployments.providers();
  const machine = { id: "two-nodes", gpu_count: 2, vram_gb: 48, nodes: 2, hourly_nano_usd: "2000000000" };
  expect(items.find((provider) => provider.id === "kubernetes")?.instance_types).toMatchObject([machine]);
  ({ id } = await feather.deployments.create(DEPLOYMENT));
  await waitForReplicas(1);
  expect(await call()).toBe(200);
  console.log(list("leaderworkersets,statefulsets,pods,services,endpointslices,poddisruptionbudgets", "-o", "wide"));
});

test("the end of a worker's program ends its group, and another one answers", async () => {
  const before = podUids();
  killProgram(before.find(({ name }) => name.endsWith("-0-1"))?.uid ?? "");
  const known = before.map(({ uid }) => uid);
  const startedAt = performance.now();
  await vi.waitFor(() => expect(podUids().filter(({ uid }) => !known.includes(uid))).toHaveLength(2), POLL);
  await waitForReplicas(1);
  expect(await call()).toBe(200);
  console.log(`another group answered after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
});

test("a second group is added, and taken away again", async () => {
  await feather.deployments.update(id, { min_replicas: 2, max_replicas: 2 });
  await waitForReplicas(2);
  expect(await call()).toBe(200);
  await feather.deployments.update(id, { min_replicas: 1, max_replicas: 1 });
  await waitForReplicas(1);
  await vi.waitFor(() => expect(podUids()).toHaveLength(2), POLL);
});

test("no call is lost while an update replaces the group", async () => {
  const known = podUids().map(({ uid }) => uid);
  const statuses: number[] = [];
  let isDone = false;
  const caller = (async () => {
    while (!isDone) statuses.push(await call());
  })();
  await feather.deployments.update(id, { engine_args: { max_model_len: 2048 } });
  await vi.waitFor(() => {
    const now = podUids();
    expect(now.filter(({ uid }) => known.includes(uid))).toEqual([]);
    expect(now).toHaveLength(2);
  }, POLL);
  await waitForReplicas(1);
  isDone = true;
  await caller;
  console.log(`${statuses.length} calls during an update`);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("a deployment that is deleted leaves nothing", async () => {
  await feather.deployments.delete(id);
  await vi.waitFor(() => expect(list(ALL_KINDS, "-o", "name").split("\n").filter(isOurs)).toEqual([]), POLL);
});

test("without LeaderWorkerSets the person learns what is missing, and the deployment comes once they are installed", async () => {
  removeKind(cluster);
  ({ id } = await feather.deployments.create(DEPLOYMENT));
  await vi.waitFor(async () => {
    const { state_reason } = await feather.deployments.get(id);
    expect(state_reason).toMatch(/^The cluster has no LeaderWorkerSet: install it/);
  }, POLL);
  await installKinds(cluster);
  await waitForReplicas(1);
  expect(await call()).toBe(200);
  await feather.deployments.delete(id);
  await vi.waitFor(() => expect(list(ALL_KINDS, "-o", "name").split("\n").filter(isOurs)).toEqual([]), POLL);
});

function waitForReplicas(count: number): Promise<void> {
  return vi.waitFor(async () => {
    expect(await feather.deployments.get(id)).toMatchObject({ state: "running", ready_replicas: count });
    expect((await feather.deployments.replicas(id)).items).toHaveLength(count);
  }, POLL);
}

async function call(): Promise<number> {
  const response = await fetch(`${platform.baseUrl}/api/deployments/${id}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "x-wait-for-model": "60" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
  });
  await response.text();
  return response.status;
}

function list(kinds: string, ...args: string[]): string {
  return kubectl(cluster, "get", kinds, "-n", cluster.namespace, ...args);
}

/** The names of a deployment's objects, and of what the controller makes of them, begin alike. */
function isOurs(name: string): boolean {
  return name.includes("/dep-");
}

function podUids(): { name: string; uid: string }[] {
  const { items } = JSON.parse(list("pods", "-o", "json")) as { items: { metadata: { name: string; uid: string } }[] };
  return items.map(({ metadata: { name, uid } }) => ({ name, uid }));
}

/** Kills the program of a pod as the kernel does, on whichever node it is. */
function killProgram(podUid: string): void {
  for (const folder of [cluster.state, join(cluster.state, "127.0.0.2")]) {
    const filter = `labels."io.kubernetes.pod.uid"==${podUid},labels."io.kubernetes.container.name"==model`;
    const [containerId] = runCtr(folder, "containers", "ls", "-q", filter).split("\n");
    const task = runCtr(folder, "tasks", "ls")
      .split("\n")
      .find((line) => containerId && line.startsWith(containerId));
    if (task) process.kill(Number(task.split(/\s+/)[1]), "SIGKILL");
  }
}
