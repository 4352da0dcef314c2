import { createHash } from "node:crypto";
import type { V1Affinity, V1PodSpec, V1PodTemplateSpec, V1Volume } from "@kubernetes/client-node";
import type { DeploymentTarget } from "../provider.ts";
import { type ContainerInput, modelContainer, type PodRole, weightsContainer } from "./containers.ts";
import type { Hardware } from "./hardware.ts";
import {
  GENERATION_LABEL,
  GROUP_LABELS,
  labelsOf,
  nameOf,
  OWNER_LABEL,
  selectorOf,
  workerLabelsOf,
} from "./objects.ts";

/** What pods of a deployment are made of. */
export type PodInput = Omit<ContainerInput, "spec" | "secretName" | "deploymentId" | "role"> & {
  target: DeploymentTarget;
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
/** The same of a worker. It is stopped once its leader is gone, and a program that just starts would not hear of it. */
const WORKER_GRACE_PERIOD_S = 10;
/** Nodes may have nothing else that distinguishes them. */
const SPREAD_OVER = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];
const USER_ID = 10001;

/** Returns the template of the pods that have a role in a replica. */
export function podTemplateOf(input: PodInput, role: PodRole): V1PodTemplateSpec {
  const { target, owner, apiKey, hubToken = "", filesToken } = input;
  const secrets = [apiKey, hubToken, ...(filesToken === undefined ? [] : [filesToken])];
  const toLabels = role === "worker" ? workerLabelsOf : labelsOf;
  return {
    metadata: {
      labels: {
        ...toLabels(owner, target.id, target.spec.organizationId),
        [GENERATION_LABEL]: String(target.generation),
      },
      // Pods read the Secret when they start, so another content means other pods.
      annotations: {
        "feather/secret": createHash("sha256").update(secrets.join("\n")).digest("hex"),
      },
    },
    spec: podOf(input, role),
  };
}

function podOf(input: PodInput, role: PodRole): V1PodSpec {
  const { target, owner, hardware, settings } = input;
  const containers: ContainerInput = {
    ...input,
    ...{ spec: target.spec, deploymentId: target.id, secretName: nameOf(target.id), role },
  };
  const weights = weightsContainer(containers);
  const { imagePullSecrets } = settings;
  return {
    automountServiceAccountToken: false,
    // Variables for other services could be taken for settings.
    enableServiceLinks: false,
    terminationGracePeriodSeconds: role === "worker" ? WORKER_GRACE_PERIOD_S : GRACE_PERIOD_S,
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
    ...(role !== "alone" && { affinity: apartOf(input) }),
    topologySpreadConstraints: SPREAD_OVER.map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: selectorOf(owner, target.id) },
    })),
  };
}

/** Each pod of a group has a node of its own, also where a node has GPUs for several. */
function apartOf({ target, owner }: PodInput): V1Affinity {
  const matchLabels = { [OWNER_LABEL]: owner, [GROUP_LABELS.set]: nameOf(target.id) };
  return {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: "kubernetes.io/hostname",
          labelSelector: { matchLabels },
          // Of the same group; pods of another may share the node.
          matchLabelKeys: [GROUP_LABELS.groupKey],
        },
      ],
    },
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

function volumesOf({ hardware, settings }: PodInput): V1Volume[] {
  const { cacheClaim } = settings;
  return [
    { name: "cache", ...(cacheClaim ? { persistentVolumeClaim: { claimName: cacheClaim } } : { emptyDir: {} }) },
    { name: "tmp", emptyDir: {} },
    ...(hardware.gpu_count > 0
      ? [{ name: "shared-memory", emptyDir: { medium: "Memory", sizeLimit: hardware.shared_memory } }]
      : []),
  ];
}
