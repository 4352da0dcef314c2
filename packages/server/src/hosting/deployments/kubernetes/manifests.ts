import type { V1LabelSelector } from "@kubernetes/client-node";
import { API_KEY, FILES_TOKEN, HUB_TOKEN, POD_PORT } from "./containers.ts";
import {
  type ClusterObject,
  GENERATION_LABEL,
  GROUP_LABELS,
  labelsOf,
  nameOf,
  OWNER_LABEL,
  RESOURCES,
  selectorOf,
  type WorkloadKind,
  type WrittenKind,
} from "./objects.ts";
import { type PodInput, podTemplateOf } from "./pod-template.ts";

/** The input from which the objects of a deployment are built. */
export type ManifestInput = PodInput & { namespace: string };

const STARTUP_DEADLINE_S = 3_600;

/** Returns the objects of a deployment, in the order in which they are applied. */
export function manifestsOf(input: ManifestInput): ClusterObject<WrittenKind>[] {
  const workload = workloadKindOf(input) === "Deployment" ? deploymentOf(input) : leaderWorkerSetOf(input);
  return [secretOf(input), serviceOf(input), budgetOf(input), ...groupPoliciesOf(input), workload];
}

/** Returns the workload kind for replicas on this hardware. */
export function workloadKindOf({ hardware }: Pick<ManifestInput, "hardware">): WorkloadKind {
  return hardware.nodes > 1 ? "LeaderWorkerSet" : "Deployment";
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

/** Returns a headless Service: the gateway chooses among the addresses of the pods. */
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

/**
 * Allows draining a node one pod at a time. When one pod of a group ends, the whole group counts as unavailable, so no other
 * group loses a pod before the first one is ready again.
 */
function budgetOf(input: ManifestInput): ClusterObject<"PodDisruptionBudget"> {
  const { target, owner } = input;
  const selector: V1LabelSelector =
    workloadKindOf(input) === "Deployment" ? { matchLabels: selectorOf(owner, target.id) } : groupSelectorOf(input);
  return { ...head("PodDisruptionBudget", input), spec: { maxUnavailable: 1, selector } };
}

/** Returns the selector of all pods of a LeaderWorkerSet, leaders and workers. */
function groupSelectorOf({ target, owner }: ManifestInput): V1LabelSelector {
  return { matchLabels: { [OWNER_LABEL]: owner, [GROUP_LABELS.set]: nameOf(target.id) } };
}

/**
 * Returns the policy by which the pods of one deployment reach each other, at ports that vLLM chooses and that ask for no key.
 * The other rules for pods come from whoever installs the server, so without those there is no policy here: it would close the
 * pods to the server.
 */
function groupPoliciesOf(input: ManifestInput): ClusterObject<"NetworkPolicy">[] {
  if (workloadKindOf(input) === "Deployment" || input.settings.groupPolicies === "off") return [];
  const podSelector = groupSelectorOf(input);
  return [
    {
      ...head("NetworkPolicy", input),
      spec: {
        podSelector,
        policyTypes: ["Ingress", "Egress"],
        ingress: [{ from: [{ podSelector }] }],
        egress: [{ to: [{ podSelector }] }],
      },
    },
  ];
}

function workloadHead<K extends WorkloadKind>(kind: K, input: ManifestInput) {
  const base = head(kind, input);
  return {
    ...base,
    metadata: { ...base.metadata, annotations: { [GENERATION_LABEL]: String(input.target.generation) } },
  };
}

function deploymentOf(input: ManifestInput): ClusterObject<"Deployment"> {
  const { target, owner } = input;
  return {
    ...workloadHead("Deployment", input),
    spec: {
      replicas: target.replicas,
      revisionHistoryLimit: 2,
      progressDeadlineSeconds: STARTUP_DEADLINE_S,
      // A new pod must be ready before an old one stops.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: selectorOf(owner, target.id) },
      template: podTemplateOf(input, "alone"),
    },
  };
}

function leaderWorkerSetOf(input: ManifestInput): ClusterObject<"LeaderWorkerSet"> {
  const { target, hardware } = input;
  return {
    ...workloadHead("LeaderWorkerSet", input),
    spec: {
      replicas: target.replicas,
      // Workers start as soon as the leader exists, since it becomes ready only after they have joined it.
      startupPolicy: "LeaderCreated",
      // With a shared subdomain, the controller would adopt our Service, which does not select workers.
      networkConfig: { subdomainPolicy: "UniquePerReplica" },
      // A new group must be ready before an old one stops.
      rolloutStrategy: { type: "RollingUpdate", rollingUpdateConfiguration: { maxUnavailable: 0, maxSurge: 1 } },
      leaderWorkerTemplate: {
        size: hardware.nodes,
        // vLLM cannot continue after one of its processes ends.
        restartPolicy: "RecreateGroupOnPodRestart",
        leaderTemplate: podTemplateOf(input, "leader"),
        workerTemplate: podTemplateOf(input, "worker"),
      },
    },
  };
}
