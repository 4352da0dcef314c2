import { createHash } from "node:crypto";
import type {
  V1Condition,
  V1Deployment,
  V1EndpointSlice,
  V1LabelSelector,
  V1ObjectMeta,
  V1Pod,
  V1PodDisruptionBudget,
  V1PodTemplateSpec,
  V1Secret,
  V1Service,
} from "@kubernetes/client-node";

/** The API path of each kind of object that is read or written. */
export const RESOURCES = {
  Secret: { apiVersion: "v1", plural: "secrets" },
  Service: { apiVersion: "v1", plural: "services" },
  Pod: { apiVersion: "v1", plural: "pods" },
  Event: { apiVersion: "v1", plural: "events" },
  Deployment: { apiVersion: "apps/v1", plural: "deployments" },
  LeaderWorkerSet: { apiVersion: "leaderworkerset.x-k8s.io/v1", plural: "leaderworkersets" },
  PodDisruptionBudget: { apiVersion: "policy/v1", plural: "poddisruptionbudgets" },
  NetworkPolicy: { apiVersion: "networking.k8s.io/v1", plural: "networkpolicies" },
  EndpointSlice: { apiVersion: "discovery.k8s.io/v1", plural: "endpointslices" },
} as const;

/** A kind of object that is read or written. */
export type Kind = keyof typeof RESOURCES;

/** Kinds that the provider writes for a deployment. The cluster creates objects of the other kinds from these. */
export const WRITTEN_KINDS = [
  "Secret",
  "Service",
  "PodDisruptionBudget",
  "NetworkPolicy",
  "Deployment",
  "LeaderWorkerSet",
] as const satisfies Kind[];
/** A kind that the provider writes. */
export type WrittenKind = (typeof WRITTEN_KINDS)[number];

/**
 * Workload kinds, which create pods. A deployment has one of them; while its number of nodes changes from or to one, both.
 */
export const WORKLOAD_KINDS = ["Deployment", "LeaderWorkerSet"] as const satisfies WrittenKind[];
/** A workload kind. */
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

/** A group of pods, one leader and its workers: the used fields of leaderworkerset.x-k8s.io/v1. */
export type LeaderWorkerSet = {
  metadata?: V1ObjectMeta;
  spec?: {
    replicas: number;
    startupPolicy: "LeaderCreated";
    networkConfig: { subdomainPolicy: "UniquePerReplica" };
    rolloutStrategy: {
      type: "RollingUpdate";
      rollingUpdateConfiguration: { maxUnavailable: number; maxSurge: number };
    };
    leaderWorkerTemplate: {
      /** Number of pods of a group, including the leader. */
      size: number;
      restartPolicy: "RecreateGroupOnPodRestart";
      leaderTemplate: V1PodTemplateSpec;
      workerTemplate: V1PodTemplateSpec;
    };
  };
  status?: { conditions?: V1Condition[]; observedGeneration?: number };
};

/**
 * The pods that selected pods may be reached from and reach: the used fields of networking.k8s.io/v1. The type of
 * `@kubernetes/client-node` has `_from` in place of `from`, which its own serializer renames.
 */
export type NetworkPolicy = {
  metadata?: V1ObjectMeta;
  spec?: {
    podSelector: V1LabelSelector;
    policyTypes: ("Ingress" | "Egress")[];
    ingress: { from: { podSelector: V1LabelSelector }[] }[];
    egress: { to: { podSelector: V1LabelSelector }[] }[];
  };
};

/** A warning or message of the cluster about an object. */
export type ClusterEvent = {
  metadata?: V1ObjectMeta;
  involvedObject?: { kind?: string; name?: string };
  type?: string;
  reason?: string;
  message?: string;
  /** Time of the last occurrence, in ISO 8601. */
  lastTimestamp?: string | null;
};

/** The type of an object by its kind. */
type ObjectTypes = {
  Secret: V1Secret;
  Service: V1Service;
  Pod: V1Pod;
  Event: ClusterEvent;
  Deployment: V1Deployment;
  LeaderWorkerSet: LeaderWorkerSet;
  PodDisruptionBudget: V1PodDisruptionBudget;
  NetworkPolicy: NetworkPolicy;
  EndpointSlice: V1EndpointSlice;
};

/** An object of the cluster, with the fields that all kinds share. */
export type ClusterObject<K extends Kind = Kind> = ObjectTypes[K] & {
  apiVersion: string;
  kind: K;
  metadata: V1ObjectMeta & { name: string };
};

/** The label with the deployment's id. */
export const DEPLOYMENT_LABEL = "feather/deployment";
/** The label with the deployment's id on worker pods, which receive no calls. */
export const WORKER_LABEL = "feather/worker-of";
/** Labels and an annotation that the LeaderWorkerSet controller sets on pods. */
export const GROUP_LABELS = {
  set: "leaderworkerset.sigs.k8s.io/name",
  group: "leaderworkerset.sigs.k8s.io/group-index",
  /** A key that all pods of one group share. */
  groupKey: "leaderworkerset.sigs.k8s.io/group-key",
  size: "leaderworkerset.sigs.k8s.io/size",
} as const;
/** The label with the installation that an object belongs to. */
export const OWNER_LABEL = "feather/owner";
/**
 * The label of pods, and annotation of workloads, with the generation of the deployment's settings that they were created
 * from.
 */
export const GENERATION_LABEL = "feather/generation";
/** The label with the organization that a deployment belongs to. */
const ORGANIZATION_LABEL = "feather/organization";

/** Names contain a hash of the deployment's id, because ids have capital letters and may be too long. */
const NAME_HASH_LENGTH = 20;

/** Returns the name of a deployment's objects. */
export function nameOf(deploymentId: string): string {
  return `dep-${createHash("sha256").update(deploymentId).digest("hex").slice(0, NAME_HASH_LENGTH)}`;
}

/** Returns the labels of a deployment's objects. */
export function labelsOf(owner: string, deploymentId: string, organizationId: string): Record<string, string> {
  return {
    "app.kubernetes.io/managed-by": "feather",
    "app.kubernetes.io/component": "model",
    [OWNER_LABEL]: owner,
    [DEPLOYMENT_LABEL]: deploymentId,
    [ORGANIZATION_LABEL]: organizationId,
  };
}

/** Returns the labels of worker pods. The selector for calls does not match them. */
export function workerLabelsOf(owner: string, deploymentId: string, organizationId: string): Record<string, string> {
  const { [DEPLOYMENT_LABEL]: id = "", ...labels } = labelsOf(owner, deploymentId, organizationId);
  return { ...labels, [WORKER_LABEL]: id };
}

/** Returns the label selector of pods that receive calls. It never changes. */
export function selectorOf(owner: string, deploymentId: string): Record<string, string> {
  return { [OWNER_LABEL]: owner, [DEPLOYMENT_LABEL]: deploymentId };
}

/** Returns the id of the deployment that an object belongs to; undefined if it names none. */
export function deploymentIdOf({ metadata }: { metadata: V1ObjectMeta }): string | undefined {
  return metadata.labels?.[DEPLOYMENT_LABEL] ?? metadata.labels?.[WORKER_LABEL];
}
