import { randomBytes } from "node:crypto";
import { waitFor } from "@feather/testing/wait-for";
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  NetworkingV1Api,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { expect, onTestFinished } from "vitest";
import type { DeploymentProvider, DeploymentSpec, DeploymentTarget, Observed } from "../../provider.ts";
import { createClusterClient } from "../cluster-client.ts";
import { type KubernetesSettings, kubernetesSettings } from "../kubernetes.settings.ts";
import { createKubernetesProvider } from "../kubernetes-provider.ts";
import type { ModelSources } from "../model-files.ts";
import { nameOf, OWNER_LABEL } from "../objects.ts";

/** A cluster that tests run against, with images of the engine and of the stand-in for vLLM. */
export type TestCluster = {
  /** The kubeconfig of an admin, with which tests change the cluster. */
  kubeconfig: string;
  /** The kubeconfig of the server, which has only the rights that it needs. */
  serverKubeconfig: string;
  namespace: string;
  engineImage: string;
  vllmImage: string;
};

/** The resource that nodes of the test cluster offer in place of GPUs. */
const GPU_RESOURCE = "example.com/gpu";
/** The hardware types of a test cluster. */
const HARDWARE = [
  { id: "cpu", cpu: "50m", memory: "512Mi" },
  { id: "vllm", runtime: "vllm", cpu: "50m", memory: "256Mi" },
  { id: "tiny", runtime: "vllm", cpu: "50m", memory: "32Mi" },
  {
    id: "two-nodes",
    gpu: "Test GPU",
    gpu_count: 1,
    gpu_resource: GPU_RESOURCE,
    nodes: 2,
    cpu: "50m",
    memory: "256Mi",
    shared_memory: "16Mi",
  },
  { id: "gpu", gpu: "NVIDIA L4", gpu_count: 1, vram_gb: 24, cpu: "50m", memory: "256Mi" },
];
/** The sources of a server that stores no model files. */
const NO_FILES = { serverUrl: null, hasEngineImage: true, findFiles: () => null };
const CHAT_TIMEOUT_MS = 90_000;

/** Returns settings for a test cluster. */
export function clusterSettings(cluster: TestCluster, changes: Partial<KubernetesSettings> = {}): KubernetesSettings {
  return {
    connection: cluster.serverKubeconfig,
    context: undefined,
    namespace: cluster.namespace,
    hardware: kubernetesSettings.hardware.schema.parse(HARDWARE),
    vllmImage: cluster.vllmImage,
    engineImage: cluster.engineImage,
    groupPolicies: "off",
    imagePullPolicy: "Never",
    imagePullSecrets: [],
    cacheClaim: undefined,
    serverUrl: undefined,
    ...changes,
  };
}

/** Starts a provider for an installation. It stops at the end of the test. */
export function startProvider(
  cluster: TestCluster,
  owner: string,
  changes: Partial<KubernetesSettings> = {},
  { hubUrl = "https://huggingface.co", ...sources }: Partial<ModelSources> = {},
) {
  const settings = clusterSettings(cluster, changes);
  /** The reasons of warnings about deployments. */
  const warnings: string[] = [];
  /** The log messages about the cluster. */
  const logged: string[] = [];
  const recordWarning = (fields: { reason: string; deployment?: string }, message: string) => {
    if (fields.deployment === undefined) logged.push(message);
    else warnings.push(fields.reason);
  };
  const provider = createKubernetesProvider({
    settings,
    api: createClusterClient(settings, { answerMs: 3_000, silenceMs: 180_000 }),
    sources: { ...NO_FILES, hubUrl, builtInModels: new Set(["feather/demo"]), ...sources },
    hubToken: "hf_operator",
    loadOwner: async () => owner,
    createToken: () => randomBytes(16).toString("hex"),
    clock: { now: () => new Date() },
    log: { warn: recordWarning, info: (message: string) => void logged.push(message) },
    retry: { minMs: 50, maxMs: 500 },
    firstReadMs: 2_000,
  });
  onTestFinished(() => provider.stop());
  return { provider, warnings, logged };
}

/** Returns a target of a deployment with a unique id, so that tests do not affect each other. */
export function createTarget(spec: Partial<DeploymentSpec> = {}): DeploymentTarget {
  return {
    id: `dep_${randomBytes(6).toString("hex")}X`,
    generation: 1,
    replicas: 1,
    spec: {
      organizationId: "org_1",
      modelKey: "acme/works",
      revision: null,
      region: "cluster",
      instanceType: "vllm",
      engineArgs: {},
      ...spec,
    },
  };
}

/** Returns a unique id of an installation. */
export const createOwner = () => `test-${randomBytes(6).toString("hex")}`;

/** Applies the target, as the reconciler does, until the observed state meets the expectation. Returns that state. */
export function converge(
  provider: DeploymentProvider,
  target: DeploymentTarget,
  expectation: (observed: Observed) => void | Promise<void>,
): Promise<Observed> {
  return poll(async () => {
    const seen = await provider.observe(target.id);
    if (seen?.generation !== target.generation || seen.targetReplicas !== target.replicas) await provider.apply(target);
    const observed = await provider.observe(target.id);
    expect(observed).not.toBeNull();
    if (observed) await expectation(observed);
    return observed as Observed;
  });
}

/** Removes a deployment until none of its objects is left. */
export function remove(provider: DeploymentProvider, id: string): Promise<void> {
  return poll(async () => {
    if (await provider.observe(id)) await provider.remove(id);
    expect(await provider.observe(id)).toBeNull();
  });
}

/** Repeats an assertion until it holds. Pods of a real cluster take several seconds. */
export function poll<T>(assertion: () => Promise<T>): Promise<T> {
  return waitFor(assertion);
}

/** Expects a number of ready replicas of the target's generation, and no others. */
export const allReady =
  ({ generation, replicas: count }: DeploymentTarget) =>
  ({ generation: applied, replicas }: Observed): void => {
    expect(applied).toBe(generation);
    expect(replicas.map((one) => [one.state, one.generation])).toEqual(
      Array.from({ length: count }, () => ["ready", generation]),
    );
  };

/** Creates a client with which tests read and change a cluster as another program would. */
export function createOutsider({ kubeconfig, namespace }: TestCluster) {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const apps = config.makeApiClient(AppsV1Api);
  const custom = config.makeApiClient(CustomObjectsApi);
  const networking = config.makeApiClient(NetworkingV1Api);
  const sets = { group: "leaderworkerset.x-k8s.io", version: "v1", namespace, plural: "leaderworkersets" };
  const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  return {
    readDeployment: (id: string) => apps.readNamespacedDeployment({ name: nameOf(id), namespace }),
    patchDeployment: (id: string, body: object) =>
      apps.patchNamespacedDeployment({ name: nameOf(id), namespace, body }, merge),
    deleteDeployment: (id: string) => apps.deleteNamespacedDeployment({ name: nameOf(id), namespace }),
    patchService: (id: string, body: object) =>
      core.patchNamespacedService({ name: nameOf(id), namespace, body }, merge),
    readService: (id: string) => core.readNamespacedService({ name: nameOf(id), namespace }),
    deleteSecret: (id: string) => core.deleteNamespacedSecret({ name: nameOf(id), namespace }),
    deleteService: (id: string) => core.deleteNamespacedService({ name: nameOf(id), namespace }),
    readLeaderWorkerSet: (id: string) => custom.getNamespacedCustomObject({ ...sets, name: nameOf(id) }),
    deleteLeaderWorkerSet: (id: string) => custom.deleteNamespacedCustomObject({ ...sets, name: nameOf(id) }),
    patchLeaderWorkerSet: (id: string, body: object) =>
      custom.patchNamespacedCustomObject({ ...sets, name: nameOf(id), body }, merge),
    /** Returns the kinds of the workload objects of an installation. */
    async workloads(owner: string): Promise<string[]> {
      const labelSelector = `${OWNER_LABEL}=${owner}`;
      const deployments = await apps.listNamespacedDeployment({ namespace, labelSelector });
      const { items } = (await custom.listNamespacedCustomObject({ ...sets, labelSelector })) as { items: object[] };
      return [...deployments.items.map(() => "Deployment"), ...items.map(() => "LeaderWorkerSet")];
    },
    /** Returns the pods of an installation: their names, uids, nodes and environment variables. */
    async pods(owner: string) {
      const { items } = await core.listNamespacedPod({ namespace, labelSelector: `${OWNER_LABEL}=${owner}` });
      return items.map(({ metadata, spec }) => ({
        name: metadata?.name ?? "",
        uid: metadata?.uid ?? "",
        node: spec?.nodeName ?? "",
        variables: spec?.containers[0]?.env?.map(({ name }) => name) ?? [],
      }));
    },
    /** The names of the network policies of an installation. */
    async policies(owner: string): Promise<string[]> {
      const labelSelector = `${OWNER_LABEL}=${owner}`;
      const { items } = await networking.listNamespacedNetworkPolicy({ namespace, labelSelector });
      return items.map(({ metadata }) => metadata?.name ?? "");
    },
    deletePod: (name: string) => core.deleteNamespacedPod({ name, namespace }),
    /** Returns the versions of an installation's objects, which change with every write. */
    async versions(owner: string): Promise<string[]> {
      const labelSelector = `${OWNER_LABEL}=${owner}`;
      const lists = await Promise.all([
        core.listNamespacedSecret({ namespace, labelSelector }),
        core.listNamespacedService({ namespace, labelSelector }),
      ]);
      const deployments = await apps.listNamespacedDeployment({ namespace, labelSelector });
      return [
        ...lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata?.uid} ${metadata?.resourceVersion}`)),
        ...deployments.items.map(({ metadata }) => `${metadata?.uid} ${metadata?.generation}`),
      ].sort();
    },
    /** Returns the names of all objects of an installation. */
    async leftovers(owner: string): Promise<string[]> {
      const labelSelector = `${OWNER_LABEL}=${owner}`;
      const lists = await Promise.all([
        core.listNamespacedSecret({ namespace, labelSelector }),
        core.listNamespacedService({ namespace, labelSelector }),
        core.listNamespacedPod({ namespace, labelSelector }),
        apps.listNamespacedDeployment({ namespace, labelSelector }),
        networking.listNamespacedNetworkPolicy({ namespace, labelSelector }),
      ]);
      return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata?.name ?? ""));
    },
  };
}

/** Sends a chat completion to a replica, as the gateway does. Returns the status and the text of the response. */
export async function chat({ baseUrl, apiKey }: { baseUrl: string; apiKey?: string }, model: string) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
    signal: AbortSignal.timeout(CHAT_TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}
