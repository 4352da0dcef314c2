import type { V1Container, V1EnvVar, V1VolumeMount } from "@kubernetes/client-node";
import { modelIdOf } from "../../../platform/core/models/model-keys.ts";
import { listPartPaths } from "../../../platform/core/models/split-files.ts";
import { parseEngineArgs } from "../engine-args.ts";
import type { DeploymentSpec } from "../provider.ts";
import { type Hardware, runtimeOf } from "./hardware.ts";
import type { KubernetesSettings } from "./kubernetes.settings.ts";
import { parseVllmArgs } from "./vllm-args.ts";

/** The port on which the containers serve HTTP. */
export const POD_PORT = 8000;
/** The port of a leader that its workers connect to. vLLM chooses further ports itself. */
const GROUP_PORT = 29500;
/** The container that serves the model. */
export const MODEL_CONTAINER = "model";
/** The init container that downloads the model. */
export const WEIGHTS_CONTAINER = "weights";
/** Key of the token with which the server calls pods, in the deployment's Secret. */
export const API_KEY = "api-key";
/** Key of the hub's token in the deployment's Secret. */
export const HUB_TOKEN = "hub-token";
/** Where the volume for weights is mounted. */
export const CACHE_FOLDER = "/cache";
const DEFAULT_REVISION = "main";
/** The folder with the installation's models in the engine's image. */
const BUILT_IN_FOLDER = "/models";
const STARTUP_PERIOD_S = 5;
/** Time limit for downloading and loading weights, in seconds. */
const STARTUP_LIMIT_S = 3_600;

/** Key of the token with which pods read files of this server, in the deployment's Secret. */
export const FILES_TOKEN = "files-token";
/** The source of a model's files for a pod. */
export type PodFiles =
  | { from: "image" }
  /** vLLM's image downloads them from the hub with Python. */
  | { from: "vllm" }
  /** `file` is the first part of a split file. The repository may differ from the model's own. */
  | { from: "hub"; repository: string; revision: string; file: string }
  /** `names` are the parts of a GGUF file in order. */
  | { from: "server"; version: string; names: readonly string[] };

/** The role of a pod in its replica: the only pod, the leader, which receives the calls, or a worker. */
export type PodRole = "alone" | "leader" | "worker";

/** The input from which containers are built. */
export type ContainerInput = {
  role: PodRole;
  spec: DeploymentSpec;
  hardware: Hardware;
  settings: KubernetesSettings;
  deploymentId: string;
  secretName: string;
  /** Address of the hub; null if a folder is used as the hub. */
  hubUrl: string | null;
  /** Address under which pods reach this server; null if they cannot reach it. */
  serverUrl: string | null;
  files: PodFiles;
};

/** Returns the container that serves the model. */
export function modelContainer(input: ContainerInput): V1Container {
  const { hardware, settings } = input;
  const isEngine = runtimeOf(hardware) === "engine";
  return {
    name: MODEL_CONTAINER,
    image: isEngine ? (settings.engineImage ?? "") : settings.vllmImage,
    imagePullPolicy: settings.imagePullPolicy,
    ...(isEngine ? engineCommand(input) : vllmCommand(input)),
    ...(input.role === "worker" ? {} : SERVING),
    resources: resourcesOf(hardware),
    securityContext: confinement(isEngine),
    ...TERMINATION,
    volumeMounts: [
      cacheMount(input),
      { name: "tmp", mountPath: "/tmp" },
      ...(hardware.gpu_count > 0 ? [{ name: "shared-memory", mountPath: "/dev/shm" }] : []),
    ],
  };
}

/** Returns the container that downloads the files of a model before it is served; null if none is needed. */
export function weightsContainer(input: ContainerInput): V1Container | null {
  const { settings, secretName, files } = input;
  if (files.from === "vllm") return safetensorsContainer(input);
  const urls = listUrls(input);
  if (urls.length === 0) return null;
  return {
    name: WEIGHTS_CONTAINER,
    image: settings.engineImage ?? "",
    imagePullPolicy: settings.imagePullPolicy,
    command: ["feather-engine"],
    args: ["fetch", filesFolder(input), ...urls],
    env: [
      files.from === "server"
        ? secretVariable("FEATHER_FILES_TOKEN", secretName, FILES_TOKEN)
        : hubTokenVariable(secretName),
    ],
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: confinement(true),
    ...TERMINATION,
    volumeMounts: [cacheMount(input), { name: "tmp", mountPath: "/tmp" }],
  };
}

/**
 * Downloads the files of a repository that vLLM reads. It runs in a separate container, so that the container that runs the
 * model has no hub token. Arguments: the repository, its revision, and the folder.
 */
const DOWNLOAD_PROGRAM = `
import sys
from huggingface_hub import list_repo_files, snapshot_download
repository, revision, folder = sys.argv[1:]
names = list_repo_files(repository, revision=revision)
weights = "*.safetensors" if any(name.endswith(".safetensors") for name in names) else "*.bin"
snapshot_download(repository, revision=revision, local_dir=folder, ignore_patterns=["original/*"],
                  allow_patterns=[weights, "*.json", "*.jinja", "*.txt", "*.model", "*.tiktoken"])
`;

function safetensorsContainer(input: ContainerInput): V1Container {
  const { spec, settings, secretName, hubUrl } = input;
  return {
    name: WEIGHTS_CONTAINER,
    image: settings.vllmImage,
    imagePullPolicy: settings.imagePullPolicy,
    command: ["python3", "-c", DOWNLOAD_PROGRAM],
    args: [modelIdOf(spec.modelKey), spec.revision ?? DEFAULT_REVISION, filesFolder(input)],
    env: [
      hubTokenVariable(secretName),
      { name: "HF_HOME", value: "/tmp/huggingface" },
      ...(hubUrl === null ? [] : [{ name: "HF_ENDPOINT", value: hubUrl }]),
    ],
    resources: { requests: { cpu: "100m", memory: "512Mi" }, limits: { memory: "4Gi" } },
    securityContext: confinement(false),
    ...TERMINATION,
    volumeMounts: [cacheMount(input), { name: "tmp", mountPath: "/tmp" }],
  };
}

/** Returns the URLs of the files to download before the model is served. */
function listUrls({ deploymentId, files, hubUrl, serverUrl }: ContainerInput): string[] {
  const join = (base: string, ...path: string[]) =>
    [base.replace(/\/+$/, ""), ...path.map(encodeURIComponent)].join("/");
  if (files.from === "server" && serverUrl !== null)
    return files.names.map((name) => join(serverUrl, "api", "deployments", deploymentId, "files", files.version, name));
  if (files.from !== "hub" || hubUrl === null) return [];
  const { repository, revision, file } = files;
  return listPartPaths(file).map((path) =>
    join(hubUrl, ...repository.split("/"), "resolve", revision, ...path.split("/")),
  );
}

const HEALTH = { httpGet: { path: "/health", port: "http" } };
/** Probes and hooks of a container that receives calls. A worker has none: it exits on failure, which ends its group. */
const SERVING: Partial<V1Container> = {
  ports: [{ name: "http", containerPort: POD_PORT, protocol: "TCP" }],
  startupProbe: {
    ...HEALTH,
    periodSeconds: STARTUP_PERIOD_S,
    failureThreshold: STARTUP_LIMIT_S / STARTUP_PERIOD_S,
    timeoutSeconds: 5,
  },
  readinessProbe: { ...HEALTH, periodSeconds: 2, failureThreshold: 2, timeoutSeconds: 5 },
  livenessProbe: { ...HEALTH, periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 10 },
  // Kubernetes removes the pod from the endpoints meanwhile, before the program stops accepting requests.
  lifecycle: { preStop: { sleep: { seconds: 5 } } },
};
/** Kubernetes reports the end of the log as the reason of a failed container. */
const TERMINATION = { terminationMessagePolicy: "FallbackToLogsOnError" };

/** Mounts a separate folder of the claim for each organization, since organizations share the claim. */
function cacheMount({ settings, spec }: ContainerInput): V1VolumeMount {
  const subPath = settings.cacheClaim === undefined ? {} : { subPath: spec.organizationId };
  return { name: "cache", mountPath: CACHE_FOLDER, ...subPath };
}

function engineCommand(input: ContainerInput) {
  const { spec, secretName } = input;
  const { file: _, ...engineArgs } = spec.engineArgs;
  const { contextLength, sequences, threads } = parseEngineArgs(engineArgs);
  const option = (name: string, value: number | undefined) => (value === undefined ? [] : [name, String(value)]);
  return {
    command: ["feather-engine"],
    args: [
      ...["serve", enginePath(input), "--host", "0.0.0.0", "--port", String(POD_PORT)],
      ...["--model-id", spec.modelKey],
      ...option("--context", contextLength),
      ...option("--sequences", sequences),
      ...option("--threads", threads),
    ],
    env: [secretVariable("FEATHER_ENGINE_API_KEY", secretName, API_KEY), { name: "HOME", value: "/tmp" }],
  };
}

function enginePath(input: ContainerInput): string {
  const { spec, files } = input;
  const path = files.from === "hub" ? files.file : files.from === "server" ? files.names[0] : undefined;
  if (path === undefined) return `${BUILT_IN_FOLDER}/${modelIdOf(spec.modelKey)}.gguf`;
  return `${filesFolder(input)}/${path.split("/").at(-1)}`;
}

/** Returns the folder for files that are downloaded before the model is served. */
function filesFolder({ spec: { modelKey, revision: named }, files }: ContainerInput): string {
  const id = modelIdOf(modelKey);
  if (files.from === "vllm") return `${CACHE_FOLDER}/hub/${id}/${(named ?? DEFAULT_REVISION).replaceAll("/", "--")}`;
  if (files.from === "server") return `${CACHE_FOLDER}/server/${id}/${files.version}`;
  const revision = files.from === "hub" ? files.revision : "";
  return `${CACHE_FOLDER}/gguf/${id}/${revision.replaceAll("/", "--")}`;
}

function vllmCommand(input: ContainerInput) {
  const { role, spec, hardware, secretName } = input;
  const env: V1EnvVar[] = [
    ...(role === "worker" ? [] : [secretVariable("VLLM_API_KEY", secretName, API_KEY)]),
    // The init container has downloaded all files.
    { name: "HF_HUB_OFFLINE", value: "1" },
    { name: "HF_HOME", value: `${CACHE_FOLDER}/huggingface` },
    { name: "VLLM_CACHE_ROOT", value: `${CACHE_FOLDER}/vllm` },
    { name: "VLLM_NO_USAGE_STATS", value: "1" },
    // The address under which the other nodes reach this one; vLLM would guess one.
    ...(role === "alone" ? [] : [{ name: "VLLM_HOST_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }]),
  ];
  return {
    command: ["vllm"],
    args: [
      ...["serve", filesFolder(input), "--port", String(POD_PORT), "--served-model-name", spec.modelKey],
      ...["--scheduling-policy", "priority"],
      ...(hardware.gpu_count > 1 ? ["--tensor-parallel-size", String(hardware.gpu_count)] : []),
      ...groupArgs(input),
      ...parseVllmArgs(spec.engineArgs),
    ],
    env,
  };
}

/**
 * Returns vLLM's command line options for a replica of several nodes, with vLLM's own processes instead of Ray. Tensor
 * parallelism is used within a node, where much data is exchanged, and pipeline parallelism between nodes. Kubernetes
 * substitutes the variables that the controller of LeaderWorkerSets sets.
 */
function groupArgs({ role, hardware }: ContainerInput): string[] {
  if (role === "alone") return [];
  return [
    ...["--pipeline-parallel-size", String(hardware.nodes), "--distributed-executor-backend", "mp"],
    ...["--nnodes", String(hardware.nodes), "--node-rank", "$(LWS_WORKER_INDEX)"],
    ...["--master-addr", "$(LWS_LEADER_ADDRESS)", "--master-port", String(GROUP_PORT)],
    // Nodes wait for each other until the last one has downloaded the weights.
    ...["--distributed-timeout-seconds", String(STARTUP_LIMIT_S)],
    ...(role === "worker" ? ["--headless"] : []),
  ];
}

function secretVariable(name: string, secretName: string, key: string, optional?: true): V1EnvVar {
  return { name, valueFrom: { secretKeyRef: { name: secretName, key, ...(optional && { optional }) } } };
}

function hubTokenVariable(secretName: string): V1EnvVar {
  return secretVariable("HF_TOKEN", secretName, HUB_TOKEN, true);
}

/** Returns the requests and limits of a container. Kubernetes requires that both have the same number of GPUs. */
function resourcesOf({ cpu, memory, gpu_count, gpu_resource }: Hardware) {
  const gpus = gpu_count > 0 ? { [gpu_resource]: String(gpu_count) } : {};
  return { requests: { cpu, memory, ...gpus }, limits: { memory, ...gpus } };
}

/** Returns the security context. vLLM's images run as root and write to their program's folder; the engine does neither. */
function confinement(isEngine: boolean) {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    ...(isEngine && { runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, readOnlyRootFilesystem: true }),
  };
}
