import { expect, test } from "vitest";
import type { ClusterEvent, ClusterObject } from "./objects.ts";
import { describeWorkload } from "./workloads.ts";

const head = {
  apiVersion: "leaderworkerset.x-k8s.io/v1",
  kind: "LeaderWorkerSet" as const,
  metadata: { name: "dep-1" },
};
const spec = { replicas: 1, leaderWorkerTemplate: { size: 2 } } as ClusterObject<"LeaderWorkerSet">["spec"] & object;
const groups: ClusterObject<"LeaderWorkerSet"> = { ...head, spec, status: { observedGeneration: 1 } };
const pod: ClusterObject<"Pod"> = { apiVersion: "v1", kind: "Pod", metadata: { name: "dep-1-0" } };
const refusal: ClusterEvent = {
  involvedObject: { kind: "StatefulSet", name: "dep-1-0" },
  type: "Warning",
  reason: "FailedCreate",
  message: "pods is forbidden: exceeded quota: gpus",
};

test("a LeaderWorkerSet without a status reports that no controller runs", () => {
  expect(describeWorkload({ ...head, spec }, [], [])).toMatch(/^No controller of LeaderWorkerSets has seen it yet/);
  expect(describeWorkload(groups, [], [])).toBeNull();
});

test("a LeaderWorkerSet with missing pods reports why they are not created", () => {
  const problem = "The cluster makes no pod: pods is forbidden: exceeded quota: gpus";
  expect(describeWorkload(groups, [pod], [refusal])).toBe(problem);
  expect(describeWorkload(groups, [pod, pod], [refusal])).toBeNull();
});
