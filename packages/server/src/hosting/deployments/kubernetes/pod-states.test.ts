import type { V1ContainerStatus, V1PodStatus } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { createGroupEnds } from "./group-ends.ts";
import type { ClusterEvent, ClusterObject } from "./objects.ts";
import { type GroupEnd, toReplicas } from "./pod-states.ts";

const IMAGE = "registry.example/vllm:1";

function pod(status: V1PodStatus, metadata: object = {}): ClusterObject<"Pod"> {
  const limits = { memory: "4Gi" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "dep-1-a", labels: { "feather/generation": "2" }, ...metadata },
    spec: { containers: [{ name: "model", image: IMAGE, resources: { limits } }] },
    status,
  };
}

const container = (fields: Partial<V1ContainerStatus>, name = "model"): V1ContainerStatus => ({
  name,
  image: IMAGE,
  imageID: "",
  ready: false,
  restartCount: 0,
  ...fields,
});
const withContainer = (fields: Partial<V1ContainerStatus>) =>
  pod({ phase: "Pending", containerStatuses: [container(fields)] });
const waiting = (reason: string, message?: string) =>
  withContainer({ state: { waiting: { reason, ...(message !== undefined && { message }) } } });
const ended = (terminated: object) =>
  withContainer({ state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: { terminated: terminated as never } });

const read = (object: ClusterObject<"Pod">, events: ClusterEvent[] = []) =>
  toReplicas({ pods: [object], slices: [], events, apiKey: "key", runtimeOf: () => "vllm" })[0];

test.each<[string, ClusterObject<"Pod">, string, string | null]>([
  [
    "no node has its GPU",
    pod({
      phase: "Pending",
      conditions: [
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message:
            "0/3 nodes are available: 3 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
        },
      ],
    }),
    "starting",
    "No node has room for it: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
  ],
  [
    "its image is not in the registry",
    waiting("ImagePullBackOff", `Back-off pulling image "${IMAGE}": ErrImagePull: not found`),
    "failed",
    `The image ${IMAGE} cannot be pulled: ErrImagePull: not found`,
  ],
  ["its image has no valid name", waiting("InvalidImageName"), "failed", `${IMAGE} is not the name of an image.`],
  [
    "a Secret is missing",
    waiting("CreateContainerConfigError", 'secret "x" not found'),
    "failed",
    'The container cannot be started: secret "x" not found',
  ],
  [
    "it took too much memory",
    ended({ reason: "OOMKilled", exitCode: 137 }),
    "failed",
    "It needed more memory than it may have (4Gi), and was ended.",
  ],
  [
    "it ended and is started again",
    withContainer({ state: { running: {} }, lastState: { terminated: { exitCode: 1, message: "one\nKilled" } } }),
    "starting",
    "The program that runs the model ended (exit status 1): Killed",
  ],
  [
    "its weights could not be downloaded",
    pod({
      phase: "Pending",
      initContainerStatuses: [
        container({ state: { terminated: { exitCode: 1, message: "the hub answered with status 403." } } }, "weights"),
      ],
      containerStatuses: [container({ state: { waiting: { reason: "PodInitializing" } } })],
    }),
    "starting",
    "The model could not be downloaded (exit status 1): the hub answered with status 403.",
  ],
  ["it just starts", waiting("ContainerCreating"), "starting", null],
])("the state of a pod says that %s", (_name, object, state, reason) => {
  expect(read(object)).toMatchObject({ name: "dep-1-a", generation: 2, state, reason, endpoint: null });
});

test("the state of a pod that waits for a volume has the cluster's message about it", () => {
  const about = (reason: string, message: string) => ({
    type: "Warning",
    reason,
    message,
    involvedObject: { kind: "Pod", name: "dep-1-a" },
  });
  const events = [about("FailedMount", "no such claim"), about("Unhealthy", "Startup probe failed")];
  expect(read(waiting("ContainerCreating"), events)?.reason).toBe("FailedMount: no such claim");
});

test("a pod receives calls when its endpoint is ready, and not while it is being deleted", () => {
  const slice = (conditions: object) => ({
    addressType: "IPv6",
    ports: [{ name: "http", port: 8000 }],
    metadata: {},
    endpoints: [{ addresses: ["fd00::1"], conditions, targetRef: { kind: "Pod", name: "dep-1-a" } }],
  });
  const readWith = (conditions: object, metadata = {}, podIP = "fd00::1") =>
    toReplicas({
      pods: [pod({ phase: "Running", podIP }, metadata)],
      slices: [slice(conditions)],
      events: [],
      apiKey: "key",
      runtimeOf: () => "engine",
    })[0];
  const endpoint = { baseUrl: "http://[fd00::1]:8000/v1", apiKey: "key", program: "engine" };
  expect(readWith({ ready: true })).toMatchObject({ state: "ready", endpoint });
  // The server calls only the pod's own address.
  expect(readWith({ ready: true }, {}, "fd00::2")).toMatchObject({ state: "starting", endpoint: null });
  expect(readWith({ ready: false })).toMatchObject({ state: "starting", endpoint: null });
  expect(readWith({ ready: true, terminating: true })).toMatchObject({ state: "starting", endpoint: null });
  expect(readWith({ ready: true }, { deletionTimestamp: "2026-03-01T12:00:00Z" })).toMatchObject({ state: "stopping" });
});

describe("a group of pods", () => {
  const groupLabels = (index: string) => ({
    "feather/generation": "2",
    "leaderworkerset.sigs.k8s.io/name": "dep-1",
    "leaderworkerset.sigs.k8s.io/group-index": "0",
    ...(index !== "0" && { "feather/worker-of": "dep_1" }),
  });
  const member = (index: string, status: V1PodStatus, metadata: object = {}) =>
    pod(status, {
      name: index === "0" ? "dep-1-0" : `dep-1-0-${index}`,
      uid: `uid-${index}`,
      labels: groupLabels(index),
      annotations: { "leaderworkerset.sigs.k8s.io/size": "2" },
      ...metadata,
    });
  const running = { phase: "Running", podIP: "10.0.0.1" };
  const endpoints = [{ addresses: ["10.0.0.1"], targetRef: { kind: "Pod", name: "dep-1-0" } }];
  const slices = [{ addressType: "IPv4", ports: [{ name: "http", port: 8000 }], metadata: {}, endpoints }];
  const readGroup = (pods: ClusterObject<"Pod">[], findGroupEnd?: () => GroupEnd) =>
    toReplicas({
      pods,
      slices,
      events: [],
      apiKey: "key",
      runtimeOf: () => "vllm",
      ...(findGroupEnd && { findGroupEnd }),
    });

  test("a group of pods is one replica, which is ready when its leader is ready and all pods exist", () => {
    const leader = member("0", running);
    expect(readGroup([leader, member("1", running)])).toMatchObject([{ name: "dep-1-0", state: "ready" }]);
    expect(readGroup([leader])).toMatchObject([{ name: "dep-1-0", state: "starting", endpoint: null }]);
    const leaving = member("1", running, { deletionTimestamp: "2026-03-01T12:00:00Z" });
    expect(readGroup([leader, leaving])).toMatchObject([{ state: "starting", endpoint: null }]);
  });

  test("the state of a group of pods has the problem of any of its pods", () => {
    const unschedulable = { type: "PodScheduled", status: "False", message: "0/3 nodes are available." };
    const worker = member("1", { phase: "Pending", conditions: [unschedulable] });
    expect(readGroup([member("0", { phase: "Running" }), worker])[0]?.reason).toMatch(/^No node has room for it/);
  });

  test("the state of a group of pods has the reason of its last end, and is failed after two ends", () => {
    const fresh = [member("0", { phase: "Pending" }), member("1", { phase: "Pending" })];
    const reason = "It needed more memory";
    expect(readGroup(fresh, () => ({ reason, count: 1 }))).toMatchObject([{ state: "starting", reason }]);
    expect(readGroup(fresh, () => ({ reason, count: 2 }))).toMatchObject([{ state: "failed", reason }]);
  });

  test("a group of pods ends for the reason of the pod that failed first, and without a reason when it was stopped", () => {
    const endedAt = (finishedAt: string, message: string) => ({
      containerStatuses: [container({ lastState: { terminated: { exitCode: 1, message, finishedAt } as never } })],
    });
    const ends = createGroupEnds();
    const leader = member("0", { ...running, ...endedAt("2026-03-01T12:00:01Z", "the worker is gone") });
    ends.record([leader, member("1", { ...running, ...endedAt("2026-03-01T12:00:00Z", "Killed") })]);
    ends.record([leader]);
    expect(ends.get("dep-1-0")).toMatchObject({ count: 1, reason: expect.stringContaining("Killed") });
    ends.evict("dep-1-0");
    const ended = endedAt("2026-03-01T12:00:02Z", "the leader is gone");
    const leaving = member("0", running, { deletionTimestamp: "2026-03-01T12:00:01Z" });
    ends.record([leaving, member("1", { ...running, ...ended })]);
    const next = member("0", running, { creationTimestamp: "2026-03-01T12:00:03Z" });
    ends.record([next, member("1", { ...running, ...ended }, { creationTimestamp: "2026-03-01T12:00:00Z" })]);
    expect(ends.get("dep-1-0")).toBeUndefined();
    const terminated = { exitCode: 143 };
    const stopped = { ...running, containerStatuses: [container({ state: { terminated } })] };
    ends.record([member("0", running), member("1", stopped, { deletionTimestamp: "2026-03-01T12:00:00Z" })]);
    expect(ends.get("dep-1-0")).toBeUndefined();
  });
});

test("an evicted pod does not count as a replica", () => {
  expect(read(pod({ phase: "Failed", reason: "Evicted" }))).toBeUndefined();
});
