import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createBackendRegistry } from "../../../gateway/backends/registry.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import { createTestRuntimes } from "../../../testing/runtimes.ts";
import type { HostedModel } from "../../runtimes/hosted-model.ts";
import { createMemoryBudget, estimateEngineBytes } from "../../runtimes/memory/memory-budget.ts";
import type { EngineEvents, EngineModel, StartEngine } from "../../runtimes/processes/model-process.ts";
import { engineBackendName } from "../host.ts";
import { createLocalHost } from "./local-host.ts";

const GIGABYTE = 1024 ** 3;
/** The whole memory of one engine in these tests, in bytes. */
const EACH = estimateEngineBytes({ size: GIGABYTE, contextLength: 1024, bytesPerToken: 1024 });
const EACH_ON_GPU = estimateEngineBytes({ runtime: "vllm", size: GIGABYTE, contextLength: 1024, bytesPerToken: 1024 });

type Started = { model: EngineModel; events: EngineEvents; stopped: boolean };
let started: Started[];
let stops: Promise<void>;
/** What starting a process throws; null if it can be started. */
let startFailure: Error | null;
const log = { warn: (..._line: unknown[]) => {} };
const clock = { now: () => new Date() };

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-03-01T12:00:00Z") });
  started = [];
  stops = Promise.resolve();
  startFailure = null;
});
afterEach(() => vi.useRealTimers());

const start: StartEngine = (model, events) => {
  if (startFailure) throw startFailure;
  const one: Started = { model, events, stopped: false };
  started.push(one);
  return {
    async stop() {
      one.stopped = true;
      await stops;
    },
  };
};

/**
 * Creates a host with memory for `count` models, and with GPU memory for `gpuCount` models of vLLM, or with one memory for
 * `sharedCount` models of vLLM, which all runtimes share.
 */
function hostFor(count: number, { idleMs = 15 * MINUTE_MS, gpuCount = 0, sharedCount = 0 } = {}) {
  const registry = createBackendRegistry(clock);
  const isShared = sharedCount > 0;
  const memory = createMemoryBudget(isShared ? EACH_ON_GPU * sharedCount : EACH * count);
  const ownGpuMemory = gpuCount === 0 ? null : createMemoryBudget(EACH_ON_GPU * gpuCount);
  const gpuMemory = isShared ? memory : ownGpuMemory;
  const runtimes = createTestRuntimes({ memory, gpuMemory, start });
  const host = createLocalHost({ runtimes, registry, clock, idleMs, log });
  const offer = (id: string, more: Partial<HostedModel> = {}) =>
    host.register({
      id,
      file: `/${id}.gguf`,
      fileName: `${id}.gguf`,
      size: GIGABYTE,
      contextLength: 1024,
      bytesPerToken: 1024,
      ...more,
    });
  const engineOf = (id: string): Started => {
    const found = started.findLast(({ model, stopped }) => model.id === id && !stopped);
    if (!found) throw new Error(`${id} does not run.`);
    return found;
  };
  /** Loads the model and lets it answer a call. */
  const warm = async (id: string) => {
    offer(id);
    await host.wake(id);
    engineOf(id).events.ready(`/sockets/${id}`);
    vi.advanceTimersByTime(5_000);
  };
  const backend = (id: string) => registry.list().find(({ name }) => name === engineBackendName(id));
  return { host, registry, memory, gpuMemory, offer, engineOf, warm, backend };
}
const running = () => started.filter(({ stopped }) => !stopped).map(({ model }) => model.id);

describe("a model that is called", () => {
  test("the model host loads a model once for concurrent calls", async () => {
    const { host, offer, engineOf, backend } = hostFor(2);
    offer("a/one");
    expect(await host.state("a/one")).toMatchObject({ tier: "cold" });
    expect(started).toEqual([]);
    await Promise.all([host.wake("a/one"), host.wake("a/one"), host.wake("a/one")]);
    expect(running()).toEqual(["a/one"]);
    expect(backend("a/one")).toBe(undefined);
    engineOf("a/one").events.ready("/sockets/one");
    expect(backend("a/one")).toMatchObject({ socketPath: "/sockets/one", source: "engine" });
    expect([host.isWarm("a/one"), await host.state("a/one")]).toEqual([true, null]);
  });

  test("a model that is called reports progress and the time when it will be ready", async () => {
    const { host, offer, engineOf } = hostFor(2);
    offer("a/one");
    const stage = () => host.availability("a/one")?.stage;
    expect(await host.wake("a/one")).toMatchObject({ tier: "loading", stage: "start", progress: 0 });
    vi.advanceTimersByTime(10_000);
    engineOf("a/one").events.progress?.(0.25);
    // A quarter took ten seconds, so the rest takes thirty more.
    expect(host.availability("a/one")).toEqual({
      tier: "loading",
      stage: "weights",
      progress: 0.25,
      readyAt: new Date("2026-03-01T12:00:40Z"),
    });
    vi.advanceTimersByTime(60_000);
    expect(host.availability("a/one")?.readyAt?.getTime()).toBeGreaterThan(Date.now());
    engineOf("a/one").events.progress?.(1);
    expect(stage()).toBe("context");
  });

  test("estimates the loading time of a model from previous loads", async () => {
    const { host, offer, engineOf } = hostFor(2);
    const foreseen = async (id: string) => ((await host.wake(id))?.readyAt?.getTime() ?? 0) - Date.now();
    offer("a/one");
    const first = await foreseen("a/one");
    vi.advanceTimersByTime(100_000);
    engineOf("a/one").events.ready("/s");
    offer("a/two");
    expect(await foreseen("a/two")).toBeGreaterThan(first * 1.5);
  });

  test("there is no loading time of a model that is unknown or larger than the memory", async () => {
    const { host, offer } = hostFor(2);
    offer("a/huge", { size: 100 * GIGABYTE });
    expect([await host.wake("a/none"), await host.wake("a/huge")]).toEqual([null, null]);
    expect([host.availability("a/none"), started]).toEqual([null, []]);
  });
});

test("the backend of a model says the context with which its engine runs it, which the memory may shorten", async () => {
  const { host, offer, engineOf, backend } = hostFor(2);
  offer("a/long", { contextLength: 4_194_304 });
  await host.wake("a/long");
  const { model, events } = engineOf("a/long");
  events.ready("/sockets/a/long");
  expect(backend("a/long")?.contextLengths?.get("a/long")).toBe(model.contextLength);
  expect(model.contextLength).toBeLessThan(4_194_304);
});

describe("the list of loaded models", () => {
  test("the list of loaded models has the memory that is reserved for each, how many calls it answers, and those that wait for memory", async () => {
    const { host, memory, warm, offer, backend } = hostFor(2);
    await warm("a/one");
    await warm("a/two");
    const busy = backend("a/one");
    if (busy) busy.inFlight = 3;
    offer("a/waiting");
    const other = backend("a/two");
    if (other) other.inFlight = 1;
    await host.wake("a/waiting");
    expect(host.listLoaded()).toMatchObject([
      { key: "a/one", state: "warm", memoryBytes: EACH, contextLength: 1024, inFlight: 3 },
      { key: "a/two", state: "warm", memoryBytes: EACH, inFlight: 1 },
      { key: "a/waiting", state: "waiting", memoryBytes: 0, inFlight: 0 },
    ]);
    expect(host.listLoaded().reduce((sum, { memoryBytes }) => sum + memoryBytes, memory.free())).toBe(memory.budget);
  });

  test("the list of loaded models is empty before the first load and after the last model was unloaded", async () => {
    const { host, warm } = hostFor(2);
    expect(host.listLoaded()).toEqual([]);
    await warm("a/one");
    await host.unload("a/one");
    expect(host.listLoaded()).toEqual([]);
  });
});

describe("memory", () => {
  test("the model host never exceeds the memory budget and evicts the least recently used model", async () => {
    const { host, registry, memory, warm, offer, engineOf } = hostFor(3);
    for (const id of ["a/one", "a/two", "a/three"]) await warm(id);
    expect(memory.free()).toBe(0);
    const answered = registry.list().find(({ name }) => name === engineBackendName("a/one"));
    if (answered) registry.recordSuccess(answered, "a/one");
    vi.advanceTimersByTime(5_000);
    offer("a/four");
    expect(await host.wake("a/four")).toMatchObject({ tier: "cold", stage: "memory" });
    await vi.advanceTimersByTimeAsync(1);
    expect(running().toSorted()).toEqual(["a/four", "a/one", "a/three"]);
    expect(host.availability("a/two")).toMatchObject({ tier: "cold", stage: null });
    engineOf("a/four").events.ready("/s");
    expect(memory.free()).toBe(0);
  });

  test("the model host evicts as many models as needed, and none if that would not be enough", async () => {
    const { host, registry, warm, offer } = hostFor(3);
    for (const id of ["a/one", "a/two", "a/three"]) await warm(id);
    offer("a/double", { size: 2 * GIGABYTE });
    const busy = registry.list()[2];
    if (busy) busy.inFlight = 1;
    const second = registry.list()[1];
    if (second) second.inFlight = 1;
    await host.wake("a/double");
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/one", "a/two", "a/three"]); // one alone would go for nothing
    if (second) second.inFlight = 0;
    await host.job.run();
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/three", "a/double"]);
  });

  test("does not evict models that are busy, recently used or pinned", async () => {
    const { host, registry, warm, offer, engineOf } = hostFor(3);
    await warm("a/busy");
    offer("a/pinned", { pinned: true });
    engineOf("a/pinned").events.ready("/s");
    vi.advanceTimersByTime(5_000);
    await warm("a/young");
    const [busy] = registry.list();
    if (busy) busy.inFlight = 1;
    const young = registry.list().find(({ name }) => name === engineBackendName("a/young"));
    if (young) registry.recordSuccess(young, "a/young");
    offer("a/four");
    await host.wake("a/four");
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/busy", "a/pinned", "a/young"]);
  });

  test("the model host reserves memory only after the previous engine has exited", async () => {
    const { host, warm, offer } = hostFor(1);
    await warm("a/one");
    const { promise, resolve } = Promise.withResolvers<void>();
    stops = promise;
    offer("a/two");
    await host.wake("a/two");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(started.map(({ model }) => model.id)).toEqual(["a/one"]);
    expect(host.availability("a/one")).toMatchObject({ stage: "unloading" });
    resolve();
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/two"]);
  });

  test("reloads a model that is called while it is unloading", async () => {
    const { host, warm } = hostFor(1);
    await warm("a/one");
    void host.unload("a/one");
    await host.wake("a/one");
    await vi.advanceTimersByTimeAsync(1);
    expect([started.length, running()]).toEqual([2, ["a/one"]]);
  });

  test("the model host drops a waiting model that is not called any more", async () => {
    const { host, warm, registry, offer } = hostFor(1);
    await warm("a/one");
    const [busy] = registry.list();
    if (busy) busy.inFlight = 1;
    offer("a/two");
    await host.wake("a/two");
    vi.advanceTimersByTime(3 * MINUTE_MS);
    await host.job.run();
    if (busy) busy.inFlight = 0;
    await host.job.run();
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/one"]);
  });
});

describe("a model that nobody calls", () => {
  test("unloads a model when its idle time has passed since the last call", async () => {
    const { host, registry, warm, memory } = hostFor(2);
    await warm("a/one");
    await warm("a/two");
    vi.advanceTimersByTime(10 * MINUTE_MS);
    const [first] = registry.list();
    if (first) registry.recordSuccess(first, "a/one");
    vi.advanceTimersByTime(6 * MINUTE_MS);
    await host.job.run();
    expect(running()).toEqual(["a/one"]);
    expect(memory.free()).toBe(EACH);
    expect(registry.list().map(({ name }) => name)).toEqual([engineBackendName("a/one")]);
  });

  test("keeps a model loaded during a long call", async () => {
    const { host, registry, warm } = hostFor(2);
    await warm("a/one");
    const [one] = registry.list();
    if (one) one.inFlight = 1;
    for (let minute = 0; minute < 30; minute++) {
      vi.advanceTimersByTime(MINUTE_MS);
      await host.job.run();
    }
    if (one) one.inFlight = 0;
    await host.job.run();
    expect(running()).toEqual(["a/one"]);
  });
});

describe("the problem of a model that cannot be loaded", () => {
  test("reports a pinned model after three failures, without paths, until it is ready", async () => {
    const { host, offer, engineOf } = hostFor(1);
    offer("a/one", { pinned: true });
    const { events } = engineOf("a/one");
    events.exited("Can't listen on /srv/secret/place/s: too long", 500);
    events.exited("Can't listen on /srv/secret/place/s: too long", 500);
    expect(host.loadingProblem?.("a/one")).toBeNull();
    events.exited("Can't listen on /srv/secret/place/s: too long", 500);
    expect(host.loadingProblem?.("a/one")).toBe("Can't listen on s: too long");
    events.ready("/again");
    expect(host.loadingProblem?.("a/one")).toBeNull();
  });

  test("reports and logs once that a pinned model does not fit into memory", async () => {
    const warnings: unknown[] = [];
    vi.spyOn(log, "warn").mockImplementation((...line: unknown[]) => void warnings.push(line));
    const { host, offer } = hostFor(1);
    offer("a/one", { pinned: true });
    offer("a/two", { pinned: true });
    await host.wake("a/two");
    await host.wake("a/two");
    expect(host.loadingProblem?.("a/two")).toMatch(/It needs \d+ MB of memory, and 0 MB are free/);
    expect(host.loadingProblem?.("a/one")).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  test("reports a model that is larger than the memory for models", () => {
    const { host, offer } = hostFor(1);
    offer("a/large", { size: 40 * GIGABYTE });
    expect(host.loadingProblem?.("a/large")).toContain("FEATHER_MODEL_MEMORY");
  });
});

describe("an engine that exits by itself", () => {
  test("an engine that exits gets no calls until it is back, and its restart time is reported", async () => {
    const { host, warm, engineOf, backend } = hostFor(2);
    await warm("a/one");
    engineOf("a/one").events.exited("Segmentation fault", 4_000);
    expect(backend("a/one")).toBe(undefined);
    const state = await host.state("a/one");
    expect(state).toMatchObject({ tier: "loading", stage: "restarting" });
    expect(state?.readyAt?.getTime()).toBeGreaterThanOrEqual(Date.now() + 4_000);
    engineOf("a/one").events.progress?.(0.5);
    expect(host.availability("a/one")).toMatchObject({ stage: "weights", progress: 0.5 });
    engineOf("a/one").events.ready("/again");
    expect(backend("a/one")).toMatchObject({ socketPath: "/again" });
  });

  test("after three failures a model releases its memory and is retried later", async () => {
    const { host, memory, offer, engineOf } = hostFor(1);
    offer("a/one");
    await host.wake("a/one");
    for (let time = 0; time < 3; time++) engineOf("a/one").events.exited("It cannot be loaded.", 500);
    await vi.advanceTimersByTimeAsync(1);
    expect([running(), host.failure("a/one"), memory.free()]).toEqual([[], "It cannot be loaded.", EACH]);
    expect(host.listLoaded()).toMatchObject([{ key: "a/one", state: "failed", reason: "It cannot be loaded." }]);
    expect(host.loadingProblem?.("a/one")).toBe("It cannot be loaded.");
    expect(await host.wake("a/one")).toBe(null);
    vi.advanceTimersByTime(6 * MINUTE_MS);
    expect(await host.wake("a/one")).toMatchObject({ tier: "loading" });
    expect(running()).toEqual(["a/one"]);
  });

  test("the model host resets the count of failures when a model is ready", async () => {
    const { host, offer, engineOf } = hostFor(1);
    offer("a/one");
    await host.wake("a/one");
    for (let time = 0; time < 5; time++) {
      engineOf("a/one").events.exited("Once more.", 500);
      engineOf("a/one").events.ready("/s");
    }
    expect([host.isWarm("a/one"), host.failure("a/one")]).toEqual([true, null]);
  });
});

describe("a process that cannot be started", () => {
  const full = () => new Error("ENOSPC: no space left on device, mkdtemp '/srv/tmp/feather-engine-1-XXXXXX'");

  test("a model whose process cannot be started takes no memory, and says why without paths", async () => {
    const { host, memory, offer } = hostFor(1);
    offer("a/one");
    startFailure = full();
    expect([await host.wake("a/one"), await host.state("a/one")]).toEqual([null, null]);
    expect(memory.free()).toBe(EACH);
    expect(host.failure("a/one")).toBe("ENOSPC: no space left on device, mkdtemp 'feather-engine-1-XXXXXX'");
    expect(host.loadingProblem("a/one")).toBe(host.failure("a/one"));
  });

  test("a model whose process could not be started is tried again after five minutes", async () => {
    const { host, offer } = hostFor(1);
    offer("a/one");
    startFailure = full();
    await host.wake("a/one");
    startFailure = null;
    expect(await host.wake("a/one")).toBeNull();
    vi.advanceTimersByTime(5 * MINUTE_MS);
    expect(await host.wake("a/one")).toMatchObject({ tier: "loading" });
    expect(running()).toEqual(["a/one"]);
  });

  test("a model that waited for memory and then cannot be started leaves the memory to the next one", async () => {
    const { host, warm, offer } = hostFor(1);
    await warm("a/one");
    for (const id of ["a/two", "a/three"]) offer(id);
    startFailure = full();
    await host.wake("a/two");
    await host.wake("a/three");
    await vi.advanceTimersByTimeAsync(1);
    expect([host.failure("a/two"), host.failure("a/three")]).not.toContain(null);
    startFailure = null;
    vi.advanceTimersByTime(5 * MINUTE_MS);
    await host.wake("a/three");
    expect(running()).toEqual(["a/three"]);
  });
});

describe("a process that is being stopped", () => {
  test("the memory of a model that failed is free only after its process has ended, also if it is unloaded meanwhile", async () => {
    const { host, memory, offer, engineOf } = hostFor(1);
    offer("a/one");
    await host.wake("a/one");
    const { promise, resolve } = Promise.withResolvers<void>();
    stops = promise;
    for (let time = 0; time < 3; time++) engineOf("a/one").events.exited("It cannot be loaded.", 500);
    let isUnloaded = false;
    const unloaded = host.unload("a/one").then(() => {
      isUnloaded = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect([isUnloaded, memory.free()]).toEqual([false, 0]);
    resolve();
    await unloaded;
    expect(memory.free()).toBe(EACH);
  });

  test("a process that becomes ready or exits while it is stopped gets no calls and is not counted as failed", async () => {
    const { host, warm, engineOf, backend } = hostFor(1);
    await warm("a/one");
    const { events } = engineOf("a/one");
    const { promise, resolve } = Promise.withResolvers<void>();
    stops = promise;
    const unloaded = host.unload("a/one");
    events.ready("/again");
    expect(backend("a/one")).toBe(undefined);
    for (let time = 0; time < 3; time++) events.exited("It was stopped.", 500);
    expect(host.failure("a/one")).toBeNull();
    resolve();
    await unloaded;
    expect(host.availability("a/one")).toMatchObject({ tier: "cold", stage: null });
  });

  test("unloading a model twice stops its process once, and both wait for it", async () => {
    const { host, warm, memory } = hostFor(1);
    await warm("a/one");
    await Promise.all([host.unload("a/one"), host.unload("a/one")]);
    await host.unload("a/one");
    expect([running(), memory.free()]).toEqual([[], EACH]);
  });

  test("a model that is unregistered while it is unloading is not loaded again, although it was called", async () => {
    const { host, warm } = hostFor(1);
    await warm("a/one");
    void host.unload("a/one");
    await host.wake("a/one");
    await host.unregister("a/one");
    await vi.advanceTimersByTimeAsync(1);
    expect([running(), await host.wake("a/one")]).toEqual([[], null]);
  });

  test("a model is loaded again after it was unloaded on request, unless it is unknown", async () => {
    const { host, warm } = hostFor(1);
    await warm("a/one");
    expect([host.reload("a/one"), host.reload("a/unknown")]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([started.length, running()]).toEqual([2, ["a/one"]]);
  });
});

describe("models that wait for memory", () => {
  test("the model that was called first gets the memory that is released first", async () => {
    const { host, warm, offer, engineOf } = hostFor(1);
    await warm("a/one");
    for (const id of ["a/two", "a/three"]) {
      offer(id);
      await host.wake(id);
    }
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/two"]);
    engineOf("a/two").events.ready("/s");
    await host.unregister("a/two");
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/three"]);
  });

  test("a smaller model does not wait behind one that the free memory cannot hold", async () => {
    const { host, warm, offer, registry } = hostFor(2);
    await warm("a/busy");
    const [busy] = registry.list();
    if (busy) busy.inFlight = 1;
    offer("a/double", { size: 2 * GIGABYTE - 64 * 1024 * 1024 });
    expect(await host.wake("a/double")).toMatchObject({ stage: "memory" });
    offer("a/small");
    expect(await host.wake("a/small")).toMatchObject({ tier: "loading", stage: "start" });
  });

  test("pinned models are being loaded until each is ready or has failed once", async () => {
    const { host, offer, engineOf } = hostFor(2);
    expect(host.isLoadingPinned()).toBe(false);
    for (const id of ["a/one", "a/two"]) offer(id, { pinned: true });
    expect(host.isLoadingPinned()).toBe(true);
    engineOf("a/one").events.ready("/s");
    expect(host.isLoadingPinned()).toBe(true);
    engineOf("a/two").events.exited("It cannot be loaded.", 500);
    expect(host.isLoadingPinned()).toBe(false);
  });

  test("a stopped host loads nothing, and leaves the memory to others", async () => {
    const { host, warm, memory } = hostFor(1);
    await warm("a/one");
    await host.stop();
    expect([await host.wake("a/one"), host.ids(), memory.free()]).toEqual([null, [], EACH]);
    expect(memory.reserve(EACH + 1)).toBeNull();
  });
});

describe("a model that vLLM runs", () => {
  test("a model that vLLM runs takes memory of the graphics card only, and is called with the API key of its process", async () => {
    const { host, memory, gpuMemory, offer, engineOf, backend } = hostFor(1, { gpuCount: 2 });
    offer("a/gpu", { runtime: "vllm", toolParser: "hermes" });
    expect(await host.wake("a/gpu")).toMatchObject({ tier: "loading" });
    expect([memory.free(), gpuMemory?.free()]).toEqual([EACH, EACH_ON_GPU]);
    expect(engineOf("a/gpu").model).toMatchObject({ memoryBytes: EACH_ON_GPU, toolParser: "hermes" });
    engineOf("a/gpu").events.ready("/sockets/gpu", "secret");
    expect(backend("a/gpu")).toMatchObject({
      socketPath: "/sockets/gpu",
      keys: { list: [{ secret: "secret" }] },
      program: "vllm",
    });
    expect(host.listLoaded()).toMatchObject([{ key: "a/gpu", runtime: "vllm", reason: null }]);
  });

  test("a model that vLLM runs evicts only models that vLLM runs", async () => {
    const { host, warm, offer, engineOf } = hostFor(1, { gpuCount: 1 });
    await warm("a/engine");
    offer("a/one", { runtime: "vllm" });
    await host.wake("a/one");
    engineOf("a/one").events.ready("/s");
    vi.advanceTimersByTime(5_000);
    offer("a/two", { runtime: "vllm" });
    expect(await host.wake("a/two")).toMatchObject({ stage: "memory" });
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/engine", "a/two"]);
  });

  test("a model makes room for one of another runtime that uses the same memory", async () => {
    const { host, warm, offer } = hostFor(1, { sharedCount: 1 });
    await warm("a/engine");
    offer("a/gpu", { runtime: "vllm" });
    expect(await host.wake("a/gpu")).toMatchObject({ stage: "memory" });
    await vi.advanceTimersByTimeAsync(1);
    expect(running()).toEqual(["a/gpu"]);
  });

  test("a model that vLLM runs cannot be loaded without vLLM, with the reason", async () => {
    const { host, offer } = hostFor(1);
    offer("a/gpu", { runtime: "vllm" });
    expect([await host.wake("a/gpu"), await host.state("a/gpu")]).toEqual([null, null]);
    expect(host.loadingProblem?.("a/gpu")).toBe("vLLM is not installed.");
  });

  test("a model that is larger than the graphics card cannot be loaded by vLLM, with the setting that helps", () => {
    const { host, offer } = hostFor(1, { gpuCount: 1 });
    offer("a/large", { runtime: "vllm", size: 40 * GIGABYTE });
    expect(host.loadingProblem?.("a/large")).toMatch(/MB of GPU memory.*FEATHER_GPU_MEMORY/);
  });
});

describe("shutdown", () => {
  test("unregistering a model stops its engine and prevents loading", async () => {
    const { host, warm, registry } = hostFor(1);
    await warm("a/one");
    await host.unregister("a/one");
    expect([running(), registry.list(), await host.wake("a/one")]).toEqual([[], [], null]);
  });

  test("stopping the host stops all engines", async () => {
    const { host, warm, offer } = hostFor(3);
    await warm("a/one");
    await warm("a/two");
    offer("a/three");
    await host.wake("a/three");
    await host.stop();
    expect(running()).toEqual([]);
  });
});
