import type { V1ContainerStatus, V1PodStatus } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import type { ClusterEvent, ClusterObject } from "./objects.ts";
import { toReplicas } from "./pod-states.ts";

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
  ...{ name, image: IMAGE, imageID: "", ready: false, restartCount: 0 },
  ...fields,
});
const withContainer = (fields: Partial<V1ContainerStatus>) =>
  pod({ phase: "Pending", containerStatuses: [container(fields)] });
const waiting = (reason: string, message?: string) =>
  withContainer({ state: { waiting: { reason, ...(message !== undefined && { message }) } } });
const ended = (terminated: object) =>
  withContainer({ state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: { terminated: terminated as never } });

const read = (object: ClusterObject<"Pod">, events: ClusterEvent[] = []) =>
  toReplicas({ pods: [object], slices: [], events, apiKey: "key", runtime: "vllm" })[0];

test.each<[string, ClusterObject<"Pod">, string, string | null]>([
  [
    "no node has its GPU",
    pod({
      phase: "Pending",
      conditions: [
        {
          ...{ type: "PodScheduled", status: "False", reason: "Unschedulable" },
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
])("a pod tells that %s", (_name, object, state, reason) => {
  expect(read(object)).toMatchObject({ name: "dep-1-a", generation: 2, state, reason, endpoint: null });
});

test("a pod that waits for a volume tells what the cluster says of it", () => {
  const about = (reason: string, message: string) => ({
    ...{ type: "Warning", reason, message, involvedObject: { kind: "Pod", name: "dep-1-a" } },
  });
  const events = [about("FailedMount", "no such claim"), about("Unhealthy", "Startup probe failed")];
  expect(read(waiting("ContainerCreating"), events)?.reason).toBe("FailedMount: no such claim");
});

test("a pod takes calls once its endpoint is ready, and not while it ends", () => {
  const slice = (conditions: object) => ({
    ...{ addressType: "IPv6", ports: [{ name: "http", port: 8000 }], metadata: {} },
    endpoints: [{ addresses: ["fd00::1"], conditions, targetRef: { kind: "Pod", name: "dep-1-a" } }],
  });
  const readWith = (conditions: object, metadata = {}, podIP = "fd00::1") =>
    toReplicas({
      pods: [pod({ phase: "Running", podIP }, metadata)],
      ...{ slices: [slice(conditions)], events: [], apiKey: "key", runtime: "engine" },
    })[0];
  const endpoint = { baseUrl: "http://[fd00::1]:8000/v1", apiKey: "key", program: "engine" };
  expect(readWith({ ready: true })).toMatchObject({ state: "ready", endpoint });
  // Another address than the pod's own is not called.
  expect(readWith({ ready: true }, {}, "fd00::2")).toMatchObject({ state: "starting", endpoint: null });
  expect(readWith({ ready: false })).toMatchObject({ state: "starting", endpoint: null });
  expect(readWith({ ready: true, terminating: true })).toMatchObject({ state: "starting", endpoint: null });
  expect(readWith({ ready: true }, { deletionTimestamp: "2026-03-01T12:00:00Z" })).toMatchObject({ state: "stopping" });
});

test("a pod that was evicted is no replica any more", () => {
  expect(read(pod({ phase: "Failed", reason: "Evicted" }))).toBeUndefined();
});
