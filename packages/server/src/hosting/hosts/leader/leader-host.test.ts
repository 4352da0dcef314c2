import { createTestClock } from "@feather/testing/clock";
import { expect, test } from "vitest";
import type { BackendSpec } from "../../../gateway/index.ts";
import { LONE_REPLICA } from "../../../platform/core/replicas/replicas.ts";
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
    vllm: { unavailable: "The leading server runs a version without vLLM." },
  });
});
