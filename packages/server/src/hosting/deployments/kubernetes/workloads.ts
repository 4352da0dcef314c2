import type { ClusterEvent, ClusterObject, WorkloadKind } from "./objects.ts";

type Workload = ClusterObject<WorkloadKind> | undefined;

/** Returns the number of replicas in the specification of a Deployment or LeaderWorkerSet; 0 without one. */
export function replicasOf(workload: Workload): number {
  return workload?.spec?.replicas ?? 0;
}

/** Returns the reason why no pods are created, such as an exhausted quota; null if there is none. */
export function describeWorkload(
  workload: Workload,
  pods: readonly ClusterObject<"Pod">[],
  events: readonly ClusterEvent[],
): string | null {
  if (workload === undefined) return null;
  return workload.kind === "LeaderWorkerSet"
    ? describeGroups(workload as ClusterObject<"LeaderWorkerSet">, pods, events)
    : describeConditions(workload as ClusterObject<"Deployment">);
}

function describeConditions({ status }: ClusterObject<"Deployment">): string | null {
  const failure = status?.conditions?.find(({ type, status: is }) => type === "ReplicaFailure" && is === "True");
  return failure ? toProblem(failure.message ?? failure.reason) : null;
}

/**
 * Returns why a LeaderWorkerSet lacks pods; null if no reason is known. It is read from the events of StatefulSets, since the
 * controller does not report pods that the cluster refuses.
 */
function describeGroups(
  { spec, status }: ClusterObject<"LeaderWorkerSet">,
  pods: readonly ClusterObject<"Pod">[],
  events: readonly ClusterEvent[],
): string | null {
  const expected = (spec?.replicas ?? 0) * (spec?.leaderWorkerTemplate.size ?? 0);
  if (pods.length >= expected) return null;
  if (status === undefined) return "No controller of LeaderWorkerSets has seen it yet; one must run in the cluster.";
  const refusal = events.findLast(
    ({ type, reason, involvedObject }) =>
      type === "Warning" && reason === "FailedCreate" && involvedObject?.kind === "StatefulSet",
  );
  return refusal ? toProblem(refusal.message) : null;
}

function toProblem(message: string | undefined): string {
  return `The cluster makes no pod: ${message ?? "it does not say why."}`;
}
