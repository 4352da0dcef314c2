import { createHash } from "node:crypto";
import type { V1PodSpec, V1PodTemplateSpec, V1Volume } from "@kubernetes/client-node";
import type { DeploymentTarget } from "../provider.ts";
import {
  API_KEY,
  type ContainerInput,
  FILES_TOKEN,
  HUB_TOKEN,
  modelContainer,
  POD_PORT,
  weightsContainer,
} from "./containers.ts";
import type { Hardware } from "./hardware.ts";
import {
  type ClusterObject,
  GENERATION_LABEL,
  labelsOf,
  nameOf,
  RESOURCES,
  selectorOf,
  type WrittenKind,
} from "./objects.ts";

/** What the objects of a deployment are made of. */
export type ManifestInput = Omit<ContainerInput, "spec" | "secretName" | "deploymentId"> & {
  target: DeploymentTarget;
  namespace: string;
  /** The installation that they belong to. */
  owner: string;
  /** The token with which the server calls the pods. */
  apiKey: string;
  /** The operator's token of the hub; undefined if there is none. */
  hubToken: string | undefined;
  /** The token with which pods read files of this server; undefined if they need none. */
  filesToken: string | undefined;
};

/** Longest time for running requests when a pod is stopped, in seconds. */
const GRACE_PERIOD_S = 120;
const STARTUP_DEADLINE_S = 3_600;
/** Nodes may not be told apart by anything else. */
const SPREAD_OVER = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];
const USER_ID = 10001;

/** Returns the objects of a deployment, in the order in which they are applied. */
export function manifestsOf(input: ManifestInput): ClusterObject<WrittenKind>[] {
  return [secretOf(input), serviceOf(input), budgetOf(input), deploymentOf(input)];
}

function head<K extends WrittenKind>(kind: K, { target, namespace, owner }: ManifestInput) {
  return {
    apiVersion: RESOURCES[kind].apiVersion,
    kind,
    metadata: {
      name: nameOf(target.id),
      namespace,
      labels: labelsOf(owner, target.id, target.spec.organizationId),
    },
  };
}

function secretOf(input: ManifestInput): ClusterObject<"Secret"> {
  const { apiKey, hubToken, filesToken } = input;
  const encode = (text: string) => Buffer.from(text).toString("base64");
  return {
    ...head("Secret", input),
    type: "Opaque",
    data: {
      [API_KEY]: encode(apiKey),
      ...(hubToken !== undefined && { [HUB_TOKEN]: encode(hubToken) }),
      ...(filesToken !== undefined && { [FILES_TOKEN]: encode(filesToken) }),
    },
  };
}

/** Without an address of its own: the gateway chooses among the addresses of the pods. */
function serviceOf(input: ManifestInput): ClusterObject<"Service"> {
  const { target, owner } = input;
  return {
    ...head("Service", input),
    spec: {
      clusterIP: "None",
      selector: selectorOf(owner, target.id),
      ports: [{ name: "http", port: POD_PORT, targetPort: "http", protocol: "TCP" }],
    },
  };
}

/** Lets a node be drained one pod at a time. */
function budgetOf(input: ManifestInput): ClusterObject<"PodDisruptionBudget"> {
  const { target, owner } = input;
  return {
    ...head("PodDisruptionBudget", input),
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(owner, target.id) } },
  };
}

function deploymentOf(input: ManifestInput): ClusterObject<"Deployment"> {
  const { target, owner } = input;
  const base = head("Deployment", input);
  return {
    ...base,
    metadata: { ...base.metadata, annotations: { [GENERATION_LABEL]: String(target.generation) } },
    spec: {
      replicas: target.replicas,
      revisionHistoryLimit: 2,
      progressDeadlineSeconds: STARTUP_DEADLINE_S,
      // A new pod is ready before an old one stops.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: selectorOf(owner, target.id) },
      template: podTemplateOf(input),
    },
  };
}

function podTemplateOf(input: ManifestInput): V1PodTemplateSpec {
  const { target, owner, apiKey, hubToken = "", filesToken } = input;
  const secrets = [apiKey, hubToken, ...(filesToken === undefined ? [] : [filesToken])];
  return {
    metadata: {
      labels: {
        ...labelsOf(owner, target.id, target.spec.organizationId),
        [GENERATION_LABEL]: String(target.generation),
      },
      // Pods read the Secret when they start, so another content means other pods.
      annotations: {
        "feather/secret": createHash("sha256").update(secrets.join("\n")).digest("hex"),
      },
    },
    spec: podOf(input),
  };
}

function podOf(input: ManifestInput): V1PodSpec {
  const { target, owner, hardware, settings } = input;
  const containers: ContainerInput = {
    ...input,
    ...{ spec: target.spec, deploymentId: target.id, secretName: nameOf(target.id) },
  };
  const weights = weightsContainer(containers);
  const { imagePullSecrets } = settings;
  return {
    automountServiceAccountToken: false,
    // Variables for other services could be taken for settings.
    enableServiceLinks: false,
    terminationGracePeriodSeconds: GRACE_PERIOD_S,
    securityContext: {
      fsGroup: USER_ID,
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    },
    ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(weights && { initContainers: [weights] }),
    containers: [modelContainer(containers)],
    volumes: volumesOf(input),
    ...placementOf(hardware),
    topologySpreadConstraints: SPREAD_OVER.map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: selectorOf(owner, target.id) },
    })),
  };
}

function placementOf({ node_selector, tolerations }: Hardware): Pick<V1PodSpec, "nodeSelector" | "tolerations"> {
  return {
    ...(Object.keys(node_selector).length > 0 && { nodeSelector: node_selector }),
    ...(tolerations.length > 0 && { tolerations: tolerations.map(dropUndefined) }),
  };
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(value));
}

function volumesOf({ hardware, settings }: ManifestInput): V1Volume[] {
  const { cacheClaim } = settings;
  return [
    { name: "cache", ...(cacheClaim ? { persistentVolumeClaim: { claimName: cacheClaim } } : { emptyDir: {} }) },
    { name: "tmp", emptyDir: {} },
    ...(hardware.gpu_count > 0
      ? [{ name: "shared-memory", emptyDir: { medium: "Memory", sizeLimit: hardware.shared_memory } }]
      : []),
  ];
}
