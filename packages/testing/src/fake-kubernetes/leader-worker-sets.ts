import { createHash } from "node:crypto";
import { isReady, terminate } from "./pod-life.ts";
import type { Pods } from "./pods.ts";
import type { Container, LeaderWorkerSetObject, PodObject, PodSpec, PodTemplate, Store } from "./store.ts";

const PREFIX = "leaderworkerset.sigs.k8s.io";
const SET = `${PREFIX}/name`;
const GROUP = `${PREFIX}/group-index`;
const GROUP_KEY = `${PREFIX}/group-key`;
const WORKER = `${PREFIX}/worker-index`;
const REVISION = `${PREFIX}/template-revision-hash`;
const SIZE = `${PREFIX}/size`;

/**
 * Does for a LeaderWorkerSet what its controller does, in the version 0.9: groups of a leader and its workers, with labels and
 * variables, rolling updates with maxSurge 1 and maxUnavailable 0, and a new group for one of which a pod ends or has
 * restarted.
 */
export function syncLeaderWorkerSet(store: Store, pods: Pods, set: LeaderWorkerSetObject): void {
  const { name, deletionTimestamp } = set.metadata;
  const own = store.list("pods").filter(({ metadata }) => metadata.labels?.[SET] === name);
  if (deletionTimestamp) {
    for (const pod of own) terminate(store, pod);
    if (own.length === 0) store.delete("leaderworkersets", name);
    return;
  }
  const revision = digest(JSON.stringify(set.spec.leaderWorkerTemplate));
  const groups = Map.groupBy(own, ({ metadata }) => Number(metadata.labels?.[GROUP]));
  for (const group of groups.values()) if (group.some(hasEnded)) for (const pod of group) terminate(store, pod);
  updateGroups(store, pods, { set, revision, groups });
  const replicas = groups.size;
  const readyReplicas = [...groups.values()].filter((group) => group.every(isReady)).length;
  store.put("leaderworkersets", { ...set, status: { replicas, readyReplicas } });
}

type Update = { set: LeaderWorkerSetObject; revision: string; groups: Map<number, PodObject[]> };

/** Groups keep their numbers. One above the last holds the place of the one that is replaced, from the highest down. */
function updateGroups(store: Store, pods: Pods, { set, revision, groups }: Update): void {
  const { replicas, leaderWorkerTemplate } = set.spec;
  const isCurrent = (index: number) =>
    (groups.get(index) ?? []).every(({ metadata }) => metadata.labels?.[REVISION] === revision);
  const isWell = (index: number) => {
    const group = groups.get(index) ?? [];
    return group.length === leaderWorkerTemplate.size && group.every(isReady);
  };
  const indexes = Array.from({ length: replicas }, (_, index) => index);
  const isUpdating = indexes.some((index) => !(isCurrent(index) && (groups.has(index) ? isWell(index) : false)));
  const hasOld = indexes.some((index) => !isCurrent(index));
  const keepsSurge = hasOld || (isUpdating && groups.has(replicas));
  const groupCount = keepsSurge && replicas > 0 ? replicas + 1 : replicas;
  for (const [index, group] of groups) if (index >= groupCount) for (const pod of group) terminate(store, pod);
  for (let index = 0; index < groupCount; index++)
    if (!groups.has(index)) createGroup(store, pods, set, index, revision);
  const outdated = indexes.findLast((index) => !isCurrent(index));
  const othersWell = [...indexes, replicas].every((index) => index === outdated || isWell(index));
  const outdatedGroup = outdated === undefined ? [] : (groups.get(outdated) ?? []);
  if (othersWell || !outdatedGroup.every(isReady)) for (const pod of outdatedGroup) terminate(store, pod);
}

function createGroup(store: Store, pods: Pods, set: LeaderWorkerSetObject, index: number, revision: string): void {
  const { size, leaderTemplate, workerTemplate } = set.spec.leaderWorkerTemplate;
  const leader = `${set.metadata.name}-${index}`;
  for (let worker = 0; worker < size; worker++) {
    const name = worker === 0 ? leader : `${leader}-${worker}`;
    const template = worker === 0 ? leaderTemplate : workerTemplate;
    const labels = {
      [SET]: set.metadata.name,
      [GROUP]: String(index),
      [WORKER]: String(worker),
      [REVISION]: revision,
      [GROUP_KEY]: digest(`${set.metadata.namespace}/${leader}`),
    };
    createPod(store, pods, { name, namespace: set.metadata.namespace, template, labels, size });
  }
}

type NewPod = { name: string; namespace: string; template: PodTemplate; labels: Record<string, string>; size: number };

function createPod(store: Store, pods: Pods, { name, namespace, template, labels, size }: NewPod): void {
  const leader = `${labels[SET]}-${labels[GROUP]}`;
  const variables = [
    { name: "LWS_LEADER_ADDRESS", value: `${leader}.${leader}.${namespace}` },
    { name: "LWS_GROUP_SIZE", value: String(size) },
    { name: "LWS_WORKER_INDEX", value: labels[WORKER] ?? "" },
  ];
  const pod = store.put("pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: { ...template.metadata.labels, ...labels },
      annotations: { ...template.metadata.annotations, [SIZE]: String(size) },
    },
    spec: withVariables(template.spec, variables),
    status: { phase: "Pending" },
  });
  void pods.start(pod);
}

function withVariables(spec: PodSpec, variables: NonNullable<Container["env"]>): PodSpec {
  const { containers, initContainers, ...rest } = structuredClone(spec);
  const extend = (container: Container) => ({ ...container, env: [...variables, ...(container.env ?? [])] });
  const [first, ...others] = containers;
  return {
    ...rest,
    containers: [extend(first), ...others.map(extend)],
    ...(initContainers && { initContainers: initContainers.map(extend) }),
  };
}

function hasEnded({ metadata, status }: PodObject): boolean {
  return metadata.deletionTimestamp !== undefined || status.hasRestarted === true;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}
