import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { expect, test } from "vitest";
import { createBackendRegistry } from "../../../gateway/backends/registry.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { hardwareSchema } from "../../deployments/kubernetes/hardware.ts";
import type { DeploymentProvider, DeploymentTarget, Observed, Replica } from "../../deployments/provider.ts";
import type { HostedModel } from "../../runtimes/hosted-model.ts";
import { createClusterHost } from "./cluster-host.ts";
import { hostedModelId } from "./deployment-ids.ts";

const IDLE_S = 900;
const HARDWARE = [
  { id: "small", memory: "2Gi" },
  { id: "large", memory: "64Gi" },
].map((row) => hardwareSchema.parse(row));
const TALKER: HostedModel = {
  id: "acme/talker",
  file: "",
  fileName: "talker.gguf",
  size: 1024 ** 3,
  contextLength: 2048,
  bytesPerToken: 1024,
};
const ID = hostedModelId(TALKER.id);

/** A fake cluster, whose pods behave as the test specifies. */
function createCluster() {
  const targets = new Map<string, DeploymentTarget>();
  const pods = new Map<string, Replica[]>();
  const state: { isReadable: boolean; refusal: string | null } = { isReadable: true, refusal: null };
  const listeners: ((id: string) => void)[] = [];
  const toPods = ({ id, generation, replicas }: DeploymentTarget): Replica[] =>
    Array.from({ length: replicas }, (_, index) => {
      const starting: Replica = { name: `pod-${index}`, generation, state: "starting", reason: null, endpoint: null };
      return pods.get(id)?.[index] ?? starting;
    });
  const provider: DeploymentProvider = {
    describe: () => expect.fail("not asked"),
    check() {
      if (state.refusal !== null) throw errors.invalidRequest(state.refusal);
    },
    async apply(target) {
      targets.set(target.id, target);
      pods.set(target.id, toPods(target));
    },
    async remove(id) {
      targets.delete(id);
      pods.delete(id);
    },
    async observe(id): Promise<Observed | null> {
      if (!state.isReadable) return { generation: 0, targetReplicas: 0, replicas: [], problem: "It is being read." };
      const target = targets.get(id);
      return target
        ? { generation: target.generation, targetReplicas: target.replicas, replicas: pods.get(id) ?? [] }
        : null;
    },
    list: async () => (state.isReadable ? [...targets.keys()] : []),
    logs: async () => [],
    follow: () => () => {},
    onChange: (listener) => void listeners.push(listener),
    tick: async () => {},
    stop: async () => {},
  };
  const setPods = (change: Partial<Replica>) => {
    const changed = (pods.get(ID) ?? []).map((pod, index) => ({
      ...pod,
      endpoint: { baseUrl: `http://10.0.0.${index}:8000/v1`, apiKey: "key", program: "engine" as const },
      ...change,
    }));
    pods.set(ID, changed);
  };
  return {
    provider,
    targets,
    state,
    ready: () => setPods({ state: "ready" }),
    say: (podState: Replica["state"], reason: string) => setPods({ state: podState, reason, endpoint: null }),
    replicas: () => targets.get(ID)?.replicas ?? null,
    announce: () => listeners.forEach((listener) => void listener(ID)),
  };
}

function createSetup({ cluster = createCluster(), maxPods = 1 } = {}) {
  const leadership = { isLeader: true };
  const time = createTestClock();
  const clock = {
    now: time.now,
    advanceSeconds(seconds: number): void {
      time.at += seconds * 1000;
    },
  };
  const registry = createBackendRegistry(clock);
  const host = createClusterHost({
    provider: cluster.provider,
    hardware: HARDWARE,
    registry,
    idleSeconds: IDLE_S,
    maxPods,
    clock,
    isLeader: () => leadership.isLeader,
    log: { error: (...line: unknown[]) => expect.fail(String(line)) },
  });
  const run = async () => {
    for (let times = 0; times < 3; times++) await host.job.run();
  };
  return {
    host,
    registry,
    cluster,
    clock,
    run,
    leadership,
    /** Registers the model, and lets pods run it. */
    async warm() {
      host.register(TALKER);
      host.completeRegistration();
      await host.wake(TALKER.id);
      await run();
      cluster.ready();
      await run();
    },
  };
}

test("a model without a call has no pods, and its first call starts one, which takes calls when it is ready", async () => {
  const { host, registry, cluster, run } = createSetup();
  host.register(TALKER);
  host.completeRegistration();
  await run();
  expect([cluster.replicas(), host.availability(TALKER.id)?.tier]).toEqual([null, "cold"]);
  expect(await host.wake(TALKER.id)).toMatchObject({ tier: "loading", stage: "pod" });
  await run();
  expect([cluster.replicas(), host.isLoaded(TALKER.id), host.isWarm(TALKER.id)]).toEqual([1, true, false]);
  cluster.ready();
  await run();
  expect([host.isWarm(TALKER.id), host.availability(TALKER.id)]).toEqual([true, null]);
  expect(registry.candidates(TALKER.id)).toMatchObject([
    { baseUrl: "http://10.0.0.0:8000/v1", keys: { list: [{ secret: "key" }] } },
  ]);
  expect(registry.contextLength(TALKER.id)).toBe(cluster.targets.get(ID)?.spec.engineArgs.context);
});

test("pods get the file of the model on the first kind of machine that it fits on", async () => {
  const { host, cluster, run } = createSetup();
  for (const model of [TALKER, { ...TALKER, id: "acme/large", size: 16 * 1024 ** 3, revision: "abc" }]) {
    host.register(model);
    await host.wake(model.id);
  }
  host.completeRegistration();
  await run();
  expect(cluster.targets.get(ID)?.spec).toMatchObject({ instanceType: "small", engineArgs: { context: 2048 } });
  expect(cluster.targets.get(hostedModelId("acme/large"))?.spec).toMatchObject({
    modelKey: "acme/large",
    revision: "abc",
    instanceType: "large",
  });
});

test("a model that fits on no kind of machine says so, and is not started", async () => {
  const { host, cluster, run } = createSetup();
  host.register({ ...TALKER, size: 1e12 });
  host.completeRegistration();
  expect(await host.wake(TALKER.id)).toBeNull();
  await run();
  expect(host.loadingProblem(TALKER.id)).toBe("No kind of machine in the cluster has the memory that it needs.");
  expect(cluster.targets.size).toBe(0);
});

test("pods are stopped after the idle time, and started again by a call", async () => {
  const { host, registry, cluster, clock, run, warm } = createSetup();
  await warm();
  clock.advanceSeconds(IDLE_S - 1);
  await run();
  expect(cluster.replicas()).toBe(1);
  clock.advanceSeconds(1);
  await run();
  expect([cluster.replicas(), registry.candidates(TALKER.id)]).toEqual([0, []]);
  expect(host.availability(TALKER.id)?.tier).toBe("cold");
  await host.wake(TALKER.id);
  await run();
  expect(cluster.replicas()).toBe(1);
});

test("a pod that takes longer to start than the idle time is waited for", async () => {
  const { host, cluster, clock, run } = createSetup();
  host.register(TALKER);
  host.completeRegistration();
  await host.wake(TALKER.id);
  await run();
  clock.advanceSeconds(2 * IDLE_S);
  await run();
  expect(cluster.replicas()).toBe(1);
  cluster.ready();
  await run();
  await run();
  expect(cluster.replicas()).toBe(1);
});

test("a pod runs on until its last call has ended for the idle time, and many calls start others", async () => {
  const { registry, cluster, clock, run, warm } = createSetup({ maxPods: 3 });
  await warm();
  const [backend] = registry.candidates(TALKER.id);
  const leases = Array.from({ length: 9 }, () => registry.acquire(backend ?? expect.fail("no pod")));
  clock.advanceSeconds(2 * IDLE_S);
  await run();
  expect(cluster.replicas()).toBe(3);
  for (const lease of leases) lease[Symbol.dispose]();
  clock.advanceSeconds(IDLE_S - 1);
  await run();
  expect(cluster.replicas()).toBe(3);
  clock.advanceSeconds(1);
  await run();
  expect(cluster.replicas()).toBe(0);
});

test("people see what a pod waits for, and why it fails", async () => {
  const { host, cluster, run } = createSetup();
  host.register(TALKER);
  host.completeRegistration();
  await host.wake(TALKER.id);
  await run();
  const waits = "No node has room for it: 0/1 nodes are available: 1 Insufficient memory.";
  cluster.say("starting", waits);
  await run();
  expect(host.listLoaded()).toMatchObject([{ key: TALKER.id, state: "waiting", reason: waits }]);
  expect(await host.wake(TALKER.id)).toMatchObject({ tier: "loading", stage: "cluster", readyAt: null });
  const fails = "The image x cannot be pulled: not found";
  cluster.say("failed", fails);
  await run();
  expect(host.listLoaded()).toMatchObject([{ state: "failed", reason: fails }]);
  expect([host.failure(TALKER.id), host.loadingProblem(TALKER.id)]).toEqual([fails, fails]);
  expect(await host.wake(TALKER.id)).toBeNull();
});

test("pods outlive the server, and the next one lets them answer", async () => {
  const { host, cluster, warm } = createSetup();
  await warm();
  await host.stop();
  const next = createSetup({ cluster });
  cluster.state.isReadable = false;
  next.host.register(TALKER);
  await next.run();
  next.host.completeRegistration();
  await next.run();
  cluster.state.isReadable = true;
  await next.run();
  expect([cluster.replicas(), next.host.isWarm(TALKER.id)]).toEqual([1, true]);
});

test("nothing is left of a model that was deleted, also while no server ran", async () => {
  const { host, cluster, run, warm } = createSetup();
  await warm();
  await host.unregister(TALKER.id);
  expect([host.find(TALKER.id), host.ids(), host.isWarm(TALKER.id)]).toEqual([null, [], false]);
  await run();
  expect(cluster.targets.size).toBe(0);
  await warm();
  const next = createSetup({ cluster });
  await next.run();
  expect(cluster.targets.size).toBe(1);
  next.host.completeRegistration();
  await next.run();
  expect(cluster.targets.size).toBe(0);
});

test("an unloaded model has no pods until it is called, and a redeployed one gets others", async () => {
  const { host, cluster, run, warm } = createSetup();
  await warm();
  await host.unload(TALKER.id);
  await run();
  expect(cluster.replicas()).toBe(0);
  await host.wake(TALKER.id);
  await run();
  expect(cluster.replicas()).toBe(1);
  cluster.ready();
  await run();
  expect(host.reload(TALKER.id)).toBe(true);
  await run();
  expect([cluster.replicas(), host.isWarm(TALKER.id)]).toEqual([1, false]);
});

test("a pinned model keeps a pod without calls", async () => {
  const { host, cluster, clock, run } = createSetup();
  host.register({ ...TALKER, pinned: true });
  host.completeRegistration();
  await run();
  clock.advanceSeconds(10 * IDLE_S);
  await run();
  expect(cluster.replicas()).toBe(1);
});

test("a server that leads no more follows the pods, and leaves them to the one that does", async () => {
  const { host, cluster, clock, leadership, warm } = createSetup();
  await warm();
  leadership.isLeader = false;
  clock.advanceSeconds(2 * IDLE_S);
  cluster.say("starting", "It is gone.");
  cluster.announce();
  await waitFor(() => expect(host.isWarm(TALKER.id)).toBe(false));
  expect(cluster.replicas()).toBe(1);
});

test("a model whose files pods cannot get is refused with the reason before anything is tried", async () => {
  const { host, cluster, run } = createSetup();
  cluster.state.refusal = "The GGUF file was converted on this server.";
  host.register(TALKER);
  host.completeRegistration();
  expect(await host.wake(TALKER.id)).toBeNull();
  await run();
  expect([host.loadingProblem(TALKER.id), host.availability(TALKER.id), cluster.replicas()]).toEqual([
    ...[cluster.state.refusal, null, null],
  ]);
});
