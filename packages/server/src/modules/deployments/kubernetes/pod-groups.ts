import { type ClusterObject, GROUP_LABELS, WORKER_LABEL } from "./objects.ts";

type Pod = ClusterObject<"Pod">;
/** The pods of one replica: the one that takes its calls, and those that work for it. */
export type PodGroup = { leader: Pod; workers: Pod[] };

/** Returns the replicas that pods form. A pod of a Deployment is one by itself; workers without a leader are left out. */
export function toGroups(pods: readonly Pod[]): PodGroup[] {
  const workers = Map.groupBy(pods.filter(isWorker), groupNameOf);
  return pods
    .filter((pod) => !isWorker(pod))
    .map((leader) => ({ leader, workers: workers.get(leader.metadata.name) ?? [] }));
}

/** Returns the name of the group that a pod belongs to, which is that of its leader. */
export function groupNameOf(pod: Pod): string {
  const { name, labels } = pod.metadata;
  return isWorker(pod) ? `${labels?.[GROUP_LABELS.set]}-${labels?.[GROUP_LABELS.group]}` : name;
}

/** Whether all pods of a group are there and none of them ends. */
export function isWhole({ leader, workers }: PodGroup): boolean {
  const size = Number(leader.metadata.annotations?.[GROUP_LABELS.size] ?? 1);
  const isCurrent = (pod: Pod) => !pod.metadata.deletionTimestamp && isSince(pod, leader);
  return workers.length === size - 1 && [leader, ...workers].every(isCurrent);
}

/** Whether a pod was not made before the leader of its group. An older one worked for the leader before. */
export function isSince(pod: Pod, leader: Pod): boolean {
  const createdAt = ({ metadata }: Pod) => new Date(metadata.creationTimestamp ?? 0).getTime();
  return createdAt(pod) >= createdAt(leader);
}

function isWorker({ metadata }: Pod): boolean {
  return metadata.labels?.[WORKER_LABEL] !== undefined;
}
