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

/** The input from which the pods of a deployment are built. */
export type PodInput = Omit<ContainerInput, "spec" | "secretName" | "deploymentId" | "role"> & {
  target: DeploymentTarget;
  /** The id of the installation. */
  owner: string;
  /** The token with which the server calls the pods. */
  apiKey: string;
  /** The operator's token of the hub; undefined if there is none. */
  hubToken: string | undefined;
  /** The token with which pods read files of this server; undefined if they need none. */
  filesToken: string | undefined;
};

/** Time for running requests to finish when a pod is stopped, in seconds. */
const GRACE_PERIOD_S = 120;
/** The same for workers, in seconds. They stop after their leader, and a starting program does not react to the signal. */
const WORKER_GRACE_PERIOD_S = 10;
/** Topology keys for spreading pods; nodes may have only one of these labels. */
const SPREAD_OVER = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];
const USER_ID = 10001;

/** Returns the pod template for a role in a replica. */
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
      // Pods read the Secret only at the start, so new content requires new pods.
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
    spec: target.spec,
    deploymentId: target.id,
    secretName: nameOf(target.id),
    role,
  };
  const weights = weightsContainer(containers);
  const { imagePullSecrets } = settings;
  return {
    automountServiceAccountToken: false,
    // Environment variables of other services could be mistaken for settings.
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

/** Places each pod of a group on a different node, even if a node has GPUs for several pods. */
function apartOf({ target, owner }: PodInput): V1Affinity {
  const matchLabels = { [OWNER_LABEL]: owner, [GROUP_LABELS.set]: nameOf(target.id) };
  return {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: "kubernetes.io/hostname",
          labelSelector: { matchLabels },
          // Applies within one group; pods of other groups may share the node.
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
