import { type ClusterObject, GROUP_LABELS, WORKER_LABEL } from "./objects.ts";

type Pod = ClusterObject<"Pod">;
/** The pods of one replica: the leader, which receives the calls, and its workers. */
export type PodGroup = { leader: Pod; workers: Pod[] };

/** Groups pods into replicas. A pod of a Deployment is a group by itself; workers without a leader are left out. */
export function toGroups(pods: readonly Pod[]): PodGroup[] {
  const workers = Map.groupBy(pods.filter(isWorker), groupNameOf);
  return pods
    .filter((pod) => !isWorker(pod))
    .map((leader) => ({ leader, workers: workers.get(leader.metadata.name) ?? [] }));
}

/** Returns the name of the group of a pod, which is the name of its leader. */
export function groupNameOf(pod: Pod): string {
  const { name, labels } = pod.metadata;
  return isWorker(pod) ? `${labels?.[GROUP_LABELS.set]}-${labels?.[GROUP_LABELS.group]}` : name;
}

/** Returns whether all pods of a group exist and none is being deleted. */
export function isWhole({ leader, workers }: PodGroup): boolean {
  const size = Number(leader.metadata.annotations?.[GROUP_LABELS.size] ?? 1);
  const isCurrent = (pod: Pod) => !pod.metadata.deletionTimestamp && isSince(pod, leader);
  return workers.length === size - 1 && [leader, ...workers].every(isCurrent);
}

/** Returns whether a pod was created no earlier than its leader. An older one belonged to the previous leader. */
export function isSince(pod: Pod, leader: Pod): boolean {
  const createdAt = ({ metadata }: Pod) => new Date(metadata.creationTimestamp ?? 0).getTime();
  return createdAt(pod) >= createdAt(leader);
}

function isWorker({ metadata }: Pod): boolean {
  return metadata.labels?.[WORKER_LABEL] !== undefined;
}
