import { createHash } from "node:crypto";
import type {
  V1Deployment,
  V1EndpointSlice,
  V1ObjectMeta,
  V1Pod,
  V1PodDisruptionBudget,
  V1Secret,
  V1Service,
} from "@kubernetes/client-node";

/** Where the API serves each kind of object that is read or written. */
export const RESOURCES = {
  Secret: { apiVersion: "v1", plural: "secrets" },
  Service: { apiVersion: "v1", plural: "services" },
  Pod: { apiVersion: "v1", plural: "pods" },
  Event: { apiVersion: "v1", plural: "events" },
  Deployment: { apiVersion: "apps/v1", plural: "deployments" },
  PodDisruptionBudget: { apiVersion: "policy/v1", plural: "poddisruptionbudgets" },
  EndpointSlice: { apiVersion: "discovery.k8s.io/v1", plural: "endpointslices" },
} as const;

/** A kind of object that is read or written. */
export type Kind = keyof typeof RESOURCES;

/** Kinds that the provider writes for a deployment; the others are made of them by the cluster. */
export const WRITTEN_KINDS = ["Secret", "Service", "PodDisruptionBudget", "Deployment"] as const satisfies Kind[];
/** A kind that the provider writes. */
export type WrittenKind = (typeof WRITTEN_KINDS)[number];

/** A warning or message of the cluster about an object. */
export type ClusterEvent = {
  metadata?: V1ObjectMeta;
  involvedObject?: { kind?: string; name?: string };
  type?: string;
  reason?: string;
  message?: string;
  /** When it last happened, in ISO 8601. */
  lastTimestamp?: string | null;
};

/** The type of an object by its kind. */
type ObjectTypes = {
  Secret: V1Secret;
  Service: V1Service;
  Pod: V1Pod;
  Event: ClusterEvent;
  Deployment: V1Deployment;
  PodDisruptionBudget: V1PodDisruptionBudget;
  EndpointSlice: V1EndpointSlice;
};

/** An object of the cluster, with what every one has. */
export type ClusterObject<K extends Kind = Kind> = ObjectTypes[K] & {
  apiVersion: string;
  kind: K;
  metadata: V1ObjectMeta & { name: string };
};

/** The label with the deployment's id. */
export const DEPLOYMENT_LABEL = "feather/deployment";
/** The label with the installation that an object belongs to. */
export const OWNER_LABEL = "feather/owner";
/** The label with the version of the settings that a pod has. */
export const GENERATION_LABEL = "feather/generation";
/** The label with the organization that a deployment belongs to. */
const ORGANIZATION_LABEL = "feather/organization";

/** Ids are longer than names may be and have capital letters, so names are made of their hash. */
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

/** Returns the labels by which a deployment's pods are selected. They never change. */
export function selectorOf(owner: string, deploymentId: string): Record<string, string> {
  return { [OWNER_LABEL]: owner, [DEPLOYMENT_LABEL]: deploymentId };
}

/** Returns the id of the deployment that an object belongs to; undefined if it names none. */
export function deploymentIdOf({ metadata }: { metadata: V1ObjectMeta }): string | undefined {
  return metadata.labels?.[DEPLOYMENT_LABEL];
}
