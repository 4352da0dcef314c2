import { createTestClock } from "@feather/testing/clock";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { BackendSpec } from "../../../gateway/index.ts";
import { LONE_REPLICA, type OtherReplica } from "../../../platform/core/replicas/replicas.ts";
import { engineBackendName } from "../host.ts";
import { type HostingState, toRuntimeLimits } from "./hosting-state.ts";
import { createLeaderHost } from "./leader-host.ts";

const GIGABYTE = 1e9;
const memory = { budget: 64 * GIGABYTE };
const clock = createTestClock();
const LEADER = { id: "rep_1", address: "http://127.0.0.1:1" };

/** What a leader of a later version reports: it has a runtime that this version does not know, and no vLLM any more. */
const LATER: HostingState = {
  models: ["llama.cpp", "later"].map((runtime) => ({
    model: {
      id: `acme/${runtime}`,
      runtime,
      fileName: "model.gguf",
      size: GIGABYTE,
      contextLength: 4096,
      bytesPerToken: 1024,
    },
    isWarm: true,
    isLoaded: true,
    failure: null,
    problem: null,
    availability: null,
  })),
  isLoadingPinned: false,
  limits: {
    availableBytes: memory.budget,
    maxFileBytes: memory.budget,
    contextTokens: 8192,
    runtimes: { "llama.cpp": { memory, memoryName: "memory" }, later: { memory, memoryName: "another memory" } },
  },
};

/** Follows a leader that answers with `state`, as it arrives by JSON. */
async function follow(state: HostingState) {
  const added = new Map<string, BackendSpec>();
  const host = createLeaderHost({
    replicas: { ...LONE_REPLICA, isLeader: () => false, leader: () => LEADER },
    peers: { askLeader: async (call) => call.output.parse(JSON.parse(JSON.stringify(state))) },
    peerToken: "secret",
    registry: { set: (spec) => void added.set(spec.name, spec), remove: (name) => void added.delete(name) },
    clock,
    log: { warn: (fields: object) => expect.unreachable(JSON.stringify(fields)) },
  });
  await host.refresh();
  return { host, added };
}

test("a model of the leader whose runtime this version does not know is called as any OpenAI-compatible program", async () => {
  const { host, added } = await follow(LATER);
  expect([...added.values()].map(({ name, program }) => [name, program])).toEqual([
    ["engine:acme/llama.cpp", "engine"],
    ["engine:acme/later", "other"],
  ]);
  expect([host.isWarm("acme/later"), host.find("acme/later")]).toEqual([true, null]);
  expect(host.find("acme/llama.cpp")).toMatchObject({ runtime: "llama.cpp" });
});

test("models fit by the limits of the runtimes that leader and replica both know", async () => {
  const { host } = await follow(LATER);
  const sized = { key: "acme/new", parameterSize: 8e9, contextLength: 4096 };
  expect(host.fit()?.of(sized)).toMatchObject({ verdict: "fits", availableBytes: memory.budget });
  expect(host.fit()?.maxSafetensors).toBeNull();
  expect(toRuntimeLimits(LATER.limits)).toEqual({
    "llama.cpp": { memory, memoryName: "memory" },
    "llama-server": { unavailable: "The leading server runs a version without llama-server." },
    vllm: { unavailable: "The leading server runs a version without vLLM." },
    sglang: { unavailable: "The leading server runs a version without SGLang." },
  });
});

const DEMO = "feather/demo";

/** Returns what a leader reports that hosts one model. */
function buildState(fields: Partial<HostingState["models"][number]> = {}): HostingState {
  const [first] = LATER.models;
  if (first === undefined) throw new Error("There is no model.");
  return { ...LATER, models: [{ ...first, model: { ...first.model, id: DEMO }, ...fields }] };
}

/** Creates a copy of what a leader hosts. The test decides who leads and what the leader answers. */
function createCopy(state: HostingState = buildState()) {
  const leading = {
    leader: LEADER as OtherReplica | null,
    isLeader: false,
    answer: async () => state,
    announce: () => {},
    lead: () => {},
  };
  const backends = new Map<string, BackendSpec>();
  const warn = vi.fn();
  const time = createTestClock();
  const host = createLeaderHost({
    replicas: {
      ...LONE_REPLICA,
      isLeader: () => leading.isLeader,
      leader: () => leading.leader,
      onLeading(listener) {
        leading.lead = () => {
          leading.isLeader = true;
          listener();
        };
      },
      bus: {
        ...LONE_REPLICA.bus,
        subscribe(_topic, listener) {
          leading.announce = () => listener({}, "rep_1");
        },
      },
    },
    peers: { askLeader: async (call) => call.output.parse(await leading.answer()) },
    peerToken: "secret",
    registry: { set: (spec) => void backends.set(spec.name, spec), remove: (name) => void backends.delete(name) },
    clock: time,
    log: { warn },
  });
  const answerWith = (next: HostingState) => {
    leading.answer = async () => next;
  };
  return { host, leading, backends, warn, time, answerWith };
}

describe("the copy of what the leader hosts", () => {
  test("before the first answer there are no models, and nobody knows what fits", () => {
    const { host, backends } = createCopy();
    expect([host.ids(), host.fit(), host.availability(DEMO), backends.size]).toEqual([[], null, null, 0]);
  });

  test("a warm model gets a backend at the leader, with the context that its engine has", async () => {
    const { host, backends } = createCopy(buildState({ loadedContextLength: 2_048 }));
    await host.refresh();
    expect([...backends.values()]).toMatchObject([
      {
        name: engineBackendName(DEMO),
        source: "engine",
        baseUrl: "http://127.0.0.1:1/engines/feather%2Fdemo/v1",
        apiKey: "secret",
        contextLengths: new Map([[DEMO, 2_048]]),
      },
    ]);
  });

  test("a model that is warm no longer loses its backend", async () => {
    const { host, backends, answerWith } = createCopy();
    await host.refresh();
    answerWith(buildState({ isWarm: false, isLoaded: false }));
    await host.refresh();
    expect([backends.size, host.ids(), host.isWarm(DEMO)]).toEqual([0, [DEMO], false]);
  });

  test("a model that the leader no longer has is not listed", async () => {
    const { host, backends, answerWith } = createCopy();
    await host.refresh();
    answerWith({ ...LATER, models: [] });
    await host.refresh();
    expect([backends.size, host.ids(), host.find(DEMO)]).toEqual([0, [], null]);
  });

  test("a new leader gets the calls", async () => {
    const { host, backends, leading } = createCopy();
    await host.refresh();
    leading.leader = { id: "rep_2", address: "http://127.0.0.1:2" };
    await host.refresh();
    expect(backends.get(engineBackendName(DEMO))?.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:2\//);
  });

  test("the time at which a model is ready is counted on this machine's clock, which may differ from the leader's", async () => {
    const availability = { tier: "loading", stage: "weights", progress: 0.5, reason: null, readyInMs: 5_000 } as const;
    const { host, time } = createCopy(buildState({ isWarm: false, availability }));
    await host.refresh();
    const readAt = time.at;
    time.at += 2_000;
    expect(host.availability(DEMO)).toMatchObject({ stage: "weights", readyAt: new Date(readAt + 5_000) });
  });

  test("a leader that does not answer is logged once, and the last answer holds", async () => {
    const { host, leading, warn, answerWith } = createCopy();
    await host.refresh();
    leading.answer = () => Promise.reject(new Error("connect ECONNREFUSED"));
    await host.refresh();
    await host.refresh();
    expect([warn.mock.calls.length, host.isWarm(DEMO)]).toEqual([1, true]);
    answerWith(buildState());
    await host.refresh();
    leading.answer = () => Promise.reject(new Error("connect ECONNREFUSED"));
    await host.refresh();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  test("without a leader the models stay listed, and none is loaded", async () => {
    const { host, leading, backends } = createCopy();
    await host.refresh();
    leading.leader = null;
    await host.refresh();
    expect([host.ids(), host.isWarm(DEMO), host.isLoaded(DEMO), backends.size]).toEqual([[DEMO], false, false, 0]);
    expect(host.availability(DEMO)).toMatchObject({ tier: "cold", readyAt: null });
  });

  test("the answer of a leader that leads no longer is ignored", async () => {
    const { host, leading, backends } = createCopy();
    leading.answer = async () => {
      leading.leader = { id: "rep_2", address: "http://127.0.0.1:2" };
      return buildState();
    };
    await host.refresh();
    expect([host.ids(), backends.size]).toEqual([[], 0]);
  });

  test("the answer that arrives when this process leads is ignored", async () => {
    const { host, leading, backends } = createCopy();
    leading.answer = async () => {
      leading.isLeader = true;
      return buildState();
    };
    await host.refresh();
    expect([host.ids(), backends.size]).toEqual([[], 0]);
  });

  test("a read that is requested during another one sees what the leader says after the request", async () => {
    const { host, leading, answerWith } = createCopy();
    const { promise, resolve } = Promise.withResolvers<HostingState>();
    leading.answer = () => promise;
    const first = host.refresh();
    answerWith(buildState({ failure: "It ends." }));
    const second = host.refresh();
    resolve(buildState());
    await Promise.all([first, second]);
    expect(host.failure(DEMO)).toBe("It ends.");
  });
});

describe("following the leader", () => {
  const follow = async (copy: ReturnType<typeof createCopy>) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => {
      copy.host.stop();
      vi.useRealTimers();
    });
    await copy.host.follow();
    copy.answerWith(buildState({ problem: "It is too large." }));
  };

  test("the leader is read every second, and at once when it announces a change", async () => {
    const copy = createCopy();
    await follow(copy);
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(copy.host.loadingProblem(DEMO)).toBe("It is too large."));
    copy.answerWith(buildState({ problem: null }));
    copy.leading.announce();
    await vi.waitFor(() => expect(copy.host.loadingProblem(DEMO)).toBeNull());
  });

  test("a process that leads asks nobody, and has no backends at another leader", async () => {
    const copy = createCopy();
    await follow(copy);
    expect(copy.backends.size).toBe(1);
    copy.leading.lead();
    copy.leading.answer = () => expect.unreachable("The leader was asked.");
    copy.leading.announce();
    vi.advanceTimersByTime(5_000);
    expect(copy.backends.size).toBe(0);
  });
});
