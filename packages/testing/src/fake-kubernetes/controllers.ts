import { createHash, randomBytes } from "node:crypto";
import { syncLeaderWorkerSet } from "./leader-worker-sets.ts";
import { isReady, terminate } from "./pod-life.ts";
import type { Pods } from "./pods.ts";
import type { DeploymentObject, PodObject, ServiceObject, Store } from "./store.ts";

const HASH_LABEL = "pod-template-hash";

/**
 * Runs the controllers that a deployment needs: pods for Deployments with rolling updates, EndpointSlices for Services,
 * and deletion of what depends on a deleted object. Each change of the store makes them look again. Returns a function
 * that stops them.
 */
export function runControllers(store: Store, pods: Pods): () => void {
  let isScheduled = false;
  let isStopped = false;
  const look = () => {
    isScheduled = false;
    if (isStopped) return;
    for (const deployment of store.list("deployments")) syncDeployment(store, pods, deployment);
    for (const set of store.list("leaderworkersets")) syncLeaderWorkerSet(store, pods, set);
    finishPods(store, pods);
    for (const service of store.list("services")) syncEndpoints(store, service);
    deleteOrphans(store);
  };
  const unsubscribe = store.onChange(() => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(look);
  });
  return () => {
    isStopped = true;
    unsubscribe();
  };
}

function syncDeployment(store: Store, pods: Pods, deployment: DeploymentObject): void {
  const { template, selector, replicas = 1 } = deployment.spec;
  // Pods of a LeaderWorkerSet may have the same labels, but belong to others.
  const own = listSelected(store, selector.matchLabels).filter(({ metadata }) => metadata.labels?.[HASH_LABEL]);
  if (deployment.metadata.deletionTimestamp) {
    for (const pod of own) terminate(store, pod);
    if (own.length === 0) store.delete("deployments", deployment.metadata.name);
    return;
  }
  const hash = createHash("sha256").update(JSON.stringify(template)).digest("hex").slice(0, 10);
  const running = own.filter(({ metadata }) => !metadata.deletionTimestamp);
  const current = running.filter(({ metadata }) => metadata.labels?.[HASH_LABEL] === hash);
  const old = running.filter(({ metadata }) => metadata.labels?.[HASH_LABEL] !== hash);
  for (const surplus of current.slice(replicas)) terminate(store, surplus);
  // maxSurge 1 and maxUnavailable 0: an old pod stops for each new one that is ready.
  const ready = current.filter(isReady).length;
  const keep = Math.max(0, replicas - ready);
  for (const outdated of old.slice(keep)) terminate(store, outdated);
  const room = old.length > 0 ? replicas + 1 - running.length : replicas - current.length;
  for (let missing = Math.min(room, replicas - current.length); missing > 0; missing--)
    createPod(store, pods, deployment, hash);
  const readyReplicas = running.filter(isReady).length;
  const { readyReplicas: _, ...status } = deployment.status ?? {};
  store.put("deployments", { ...deployment, status: { ...status, ...(readyReplicas > 0 && { readyReplicas }) } });
}

function createPod(store: Store, pods: Pods, { metadata, spec }: DeploymentObject, hash: string): void {
  const { template } = spec;
  const pod = store.put("pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${metadata.name}-${hash}-${randomBytes(3).toString("hex")}`,
      namespace: metadata.namespace,
      labels: { ...template.metadata.labels, [HASH_LABEL]: hash },
    },
    spec: structuredClone(template.spec),
    status: { phase: "Pending" },
  });
  void pods.start(pod);
}

function finishPods(store: Store, pods: Pods): void {
  for (const pod of store.list("pods")) {
    if (!pod.metadata.deletionTimestamp) continue;
    pods.stop(pod);
    store.delete("pods", pod.metadata.name);
  }
}

/** One slice for each pod, since all of them have the same address and differ by their port. */
function syncEndpoints(store: Store, { metadata, spec }: ServiceObject): void {
  const targets = listSelected(store, spec.selector).filter(isReady);
  for (const pod of targets)
    store.put("endpointslices", {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: {
        name: `${metadata.name}-${pod.metadata.name.slice(-6)}`,
        namespace: metadata.namespace,
        labels: { ...metadata.labels, "kubernetes.io/service-name": metadata.name },
      },
      addressType: "IPv4",
      ports: [{ name: "http", port: pod.status.port, protocol: "TCP" }],
      endpoints: [
        {
          addresses: [pod.status.podIP],
          conditions: { ready: true, serving: true, terminating: false },
          targetRef: { kind: "Pod", name: pod.metadata.name, uid: pod.metadata.uid },
        },
      ],
    });
}

function deleteOrphans(store: Store): void {
  for (const { metadata, endpoints } of store.list("endpointslices")) {
    const hasService = store.get("services", metadata.labels?.["kubernetes.io/service-name"] ?? "");
    const pod = store.get("pods", endpoints[0].targetRef.name);
    if (!hasService || !pod || !isReady(pod)) store.delete("endpointslices", metadata.name);
  }
}

function listSelected(store: Store, labels: Record<string, string>): PodObject[] {
  return store
    .list("pods")
    .filter(({ metadata }) => Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value));
}
