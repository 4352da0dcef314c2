import { type ClusterObject, GROUP_LABELS } from "./objects.ts";
import { groupNameOf, isSince } from "./pod-groups.ts";
import { findEnd, type GroupEnd } from "./pod-states.ts";

type Pod = ClusterObject<"Pod">;
type Known = GroupEnd & { podIds: Set<string> };

/**
 * Creates the record of why groups of pods have ended. When one pod ends, the controller deletes and recreates the whole
 * group, so the cluster loses the reason.
 */
export function createGroupEnds() {
  const known = new Map<string, Known>();
  return {
    /** Records the groups that have ended among the pods of a deployment. */
    record(pods: readonly Pod[]): void {
      const grouped = pods.filter(({ metadata }) => metadata.labels?.[GROUP_LABELS.set] !== undefined);
      for (const [name, group] of Map.groupBy(grouped, groupNameOf)) recordGroup(known, name, group);
    },
    /** Returns the last end of a group; undefined if it has not ended since it was last ready. */
    get: (name: string): GroupEnd | undefined => known.get(name),
    /** Removes the ends of a group, when it is ready. */
    evict: (name: string): void => void known.delete(name),
    /** Removes the ends of all groups whose name begins with `prefix`. */
    evictAll(prefix: string): void {
      for (const name of [...known.keys()]) if (name.startsWith(prefix)) known.delete(name);
    },
  };
}

/** The recorded ends of groups of pods. */
export type GroupEnds = ReturnType<typeof createGroupEnds>;

/** Records the end of a group. The pod that ended first is the cause, since the others end because of it. */
function recordGroup(known: Map<string, Known>, name: string, pods: readonly Pod[]): void {
  const leader = pods.find(({ metadata }) => metadata.name === name);
  if (leader === undefined || leader.metadata.deletionTimestamp) return;
  const ends = pods
    .filter((pod) => isSince(pod, leader))
    .flatMap((pod) => {
      const end = findEnd(pod);
      return end ? [{ ...end, id: pod.metadata.uid ?? pod.metadata.name }] : [];
    })
    .sort((a, b) => a.endedAt - b.endedAt);
  const [first] = ends;
  if (first === undefined) return;
  const before = known.get(name) ?? { reason: "", count: 0, podIds: new Set<string>() };
  const podIds = new Set([...before.podIds, ...ends.map(({ id }) => id)]);
  const isNew = !before.podIds.has(first.id);
  known.set(name, isNew ? { reason: first.reason, count: before.count + 1, podIds } : { ...before, podIds });
}
