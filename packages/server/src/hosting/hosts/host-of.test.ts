import { expect, test } from "vitest";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import type { HostedModel } from "../runtimes/index.ts";
import { COLD_AVAILABILITY, type LoadedModel, type ModelHost } from "./host.ts";
import { createHostOf, withLeader } from "./host-of.ts";

const PUBLIC = "acme/public";
const PRIVATE = privateModelKey("org_1", "acme/private");

const modelOf = (id: string): HostedModel => ({
  id,
  file: "/models/file.gguf",
  fileName: "file.gguf",
  size: 1,
  contextLength: 1,
  bytesPerToken: 1,
});

const loadedModelOf = (key: string, memoryBytes: number): LoadedModel => ({
  key,
  runtime: "llama.cpp",
  state: "warm",
  reason: null,
  memoryBytes,
  contextLength: 1,
  inFlight: 0,
  lastUsedAt: new Date(0),
});

/** Returns a host that records which models it was asked to run, and what it was asked to do. */
function createRecordingHost(name: string, { memoryBytes = 1, everySeconds = 5, isLoadingPinned = false } = {}) {
  const models = new Map<string, HostedModel>();
  const done: string[] = [];
  const host: ModelHost = {
    register: (model) => void models.set(model.id, model),
    unregister: async (key) => void models.delete(key),
    completeRegistration: () => void done.push("completeRegistration"),
    async wake(key) {
      done.push(`wake ${key}`);
      return COLD_AVAILABILITY;
    },
    state: async () => COLD_AVAILABILITY,
    unload: async (key) => void done.push(`unload ${key}`),
    reload: (key) => done.push(`reload ${key}`) > 0,
    availability: () => COLD_AVAILABILITY,
    failure: () => `failure of ${name}`,
    loadingProblem: () => `problem of ${name}`,
    isLoadingPinned: () => isLoadingPinned,
    isLoaded: (key) => models.has(key),
    isWarm: (key) => models.has(key),
    find: (key) => models.get(key) ?? null,
    ids: () => [...models.keys()],
    listLoaded: () => [...models.keys()].map((key) => loadedModelOf(key, memoryBytes)),
    job: { name: `job of ${name}`, everySeconds, run: async () => void done.push("job") },
    stop: async () => void done.push("stop"),
  };
  return { host, done };
}

function createHosts({ isAllInCluster = false } = {}) {
  const local = createRecordingHost("local", { everySeconds: 5, memoryBytes: 10 });
  const cluster = createRecordingHost("cluster", { everySeconds: 2, memoryBytes: 20, isLoadingPinned: true });
  const host = createHostOf({ local: local.host, cluster: cluster.host, isAllInCluster });
  for (const id of [PRIVATE, PUBLIC]) host.register(modelOf(id));
  return { local, cluster, host };
}

test("this machine is the host of all models if there is no cluster", () => {
  const { host } = createRecordingHost("local");
  expect(createHostOf({ local: host, cluster: null, isAllInCluster: false })).toBe(host);
});

test("the cluster is the host of all models if its pods get private files from the server", () => {
  const { local, cluster } = createHosts({ isAllInCluster: true });
  expect(cluster.host.ids()).toEqual([PRIVATE, PUBLIC]);
  expect(local.host.ids()).toEqual([]);
});

test("public models run in the cluster and private ones on this machine if pods get no files from the server", async () => {
  const { local, cluster, host } = createHosts();
  expect([cluster.host.ids(), local.host.ids()]).toEqual([[PUBLIC], [PRIVATE]]);
  await host.wake(PUBLIC);
  await host.unload(PRIVATE);
  host.reload(PUBLIC);
  expect([cluster.done, local.done]).toEqual([[`wake ${PUBLIC}`, `reload ${PUBLIC}`], [`unload ${PRIVATE}`]]);
  expect([host.failure(PUBLIC), host.loadingProblem(PRIVATE)]).toEqual(["failure of cluster", "problem of local"]);
  await host.unregister(PRIVATE);
  expect([host.find(PRIVATE), host.find(PUBLIC)?.id]).toEqual([null, PUBLIC]);
});

test("the models of a divided host are listed together, those with the most memory first", () => {
  const { host } = createHosts();
  expect(host.ids()).toEqual([PUBLIC, PRIVATE]);
  expect(host.listLoaded().map(({ key }) => key)).toEqual([PUBLIC, PRIVATE]);
  expect(host.isLoadingPinned()).toBe(true);
});

test("a divided host completes, works and stops on both, as often as the more frequent one needs", async () => {
  const { local, cluster, host } = createHosts();
  host.completeRegistration();
  await host.job.run();
  await host.stop();
  const expected = ["completeRegistration", "job", "stop"];
  expect([local.done, cluster.done, host.job.everySeconds]).toEqual([expected, expected, 2]);
});

test("the leader's models are reported while another process leads, and this process's own while it leads", async () => {
  const leader = createRecordingHost("leader");
  leader.host.register(modelOf("acme/of-the-leader"));
  const own = createRecordingHost("own");
  const leading = { isLeader: false };
  const host = withLeader(own.host, leader.host, () => leading.isLeader);
  host.register(modelOf(PUBLIC));
  expect([host.ids(), host.find(PUBLIC), host.isWarm(PUBLIC)]).toEqual([["acme/of-the-leader"], null, false]);
  expect([host.failure(PUBLIC), host.loadingProblem(PUBLIC)]).toEqual(["failure of leader", "problem of leader"]);
  leading.isLeader = true;
  expect([host.ids(), host.find(PUBLIC)?.id, host.isWarm(PUBLIC)]).toEqual([[PUBLIC], PUBLIC, true]);
  expect(await host.state(PUBLIC)).toEqual(COLD_AVAILABILITY);
});

test("models are loaded and unloaded in this process even while another one leads", async () => {
  const [own, leader] = [createRecordingHost("own"), createRecordingHost("leader")];
  const host = withLeader(own.host, leader.host, () => false);
  await host.wake(PUBLIC);
  await host.unload(PUBLIC);
  expect([own.done, leader.done]).toEqual([[`wake ${PUBLIC}`, `unload ${PUBLIC}`], []]);
});
