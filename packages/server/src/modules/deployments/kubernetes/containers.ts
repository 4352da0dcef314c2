import type { V1Container, V1EnvVar, V1VolumeMount } from "@kubernetes/client-node";
import { modelIdOf } from "../../../core/model-keys.ts";
import { listPartPaths } from "../../../core/split-files.ts";
import { parseEngineArgs } from "../engine-args.ts";
import type { DeploymentSpec } from "../provider.ts";
import { type Hardware, runtimeOf } from "./hardware.ts";
import type { KubernetesSettings } from "./kubernetes.settings.ts";
import { parseVllmArgs } from "./vllm-args.ts";

/** The port on which pods answer. */
export const POD_PORT = 8000;
/** The port of a leader where its workers join it. They use others among each other, which vLLM chooses. */
const GROUP_PORT = 29500;
/** The container that serves the model. */
export const MODEL_CONTAINER = "model";
/** The container that downloads the model first. */
export const WEIGHTS_CONTAINER = "weights";
/** Key of the token with which the server calls pods, in the deployment's Secret. */
export const API_KEY = "api-key";
/** Key of the hub's token in the deployment's Secret. */
export const HUB_TOKEN = "hub-token";
/** Where the volume for weights is mounted. */
export const CACHE_FOLDER = "/cache";
const DEFAULT_REVISION = "main";
/** Where the engine's image has the models of the installation. */
const BUILT_IN_FOLDER = "/models";
const STARTUP_PERIOD_S = 5;
/** Weights are downloaded and loaded in this time, in seconds. */
const STARTUP_LIMIT_S = 3_600;

/** Key of the token with which pods read files of this server, in the deployment's Secret. */
export const FILES_TOKEN = "files-token";
/** Where pods get the files of a model. */
export type PodFiles =
  | { from: "image" }
  /** The Python of vLLM's image downloads them from the hub. */
  | { from: "vllm" }
  /** `file` is the first part of a split file. The repository may be another than the model's. */
  | { from: "hub"; repository: string; revision: string; file: string }
  /** `names` of a GGUF file are its parts, in their order. */
  | { from: "server"; version: string; names: readonly string[] };

/** What a pod is of its replica: all of it, or one of the pods over which it is spread. Leaders take the calls. */
export type PodRole = "alone" | "leader" | "worker";

/** What containers are made of. */
export type ContainerInput = {
  role: PodRole;
  spec: DeploymentSpec;
  hardware: Hardware;
  settings: KubernetesSettings;
  deploymentId: string;
  secretName: string;
  /** Address of the hub; null if a folder stands for it. */
  hubUrl: string | null;
  /** Address under which pods reach this server; null if they do not. */
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
 * Downloads what vLLM reads of a repository. It is a step of its own so that the token of the hub is not where a model runs.
 * Arguments: the repository, its revision, and the folder.
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

/** Returns the addresses of what is downloaded before the model is served. */
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
/** What a container has that takes calls; a worker ends where it fails, which ends its group. */
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
  // The pod leaves the endpoints before the program stops to take requests.
  lifecycle: { preStop: { sleep: { seconds: 5 } } },
};
/** The end of the log becomes the reason of a container that failed. */
const TERMINATION = { terminationMessagePolicy: "FallbackToLogsOnError" };

/** Organizations share a claim, but no folder of it. */
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

/** Returns the folder that files are downloaded to before the model is served. */
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
    // All files are here.
    { name: "HF_HUB_OFFLINE", value: "1" },
    { name: "HF_HOME", value: `${CACHE_FOLDER}/huggingface` },
    { name: "VLLM_CACHE_ROOT", value: `${CACHE_FOLDER}/vllm` },
    { name: "VLLM_NO_USAGE_STATS", value: "1" },
    // The address by which the others reach it; vLLM would guess one.
    ...(role === "alone" ? [] : [{ name: "VLLM_HOST_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }]),
  ];
  return {
    command: ["vllm"],
    args: [
      ...["serve", filesFolder(input), "--port", String(POD_PORT), "--served-model-name", spec.modelKey],
      ...(hardware.gpu_count > 1 ? ["--tensor-parallel-size", String(hardware.gpu_count)] : []),
      ...groupArgs(input),
      ...parseVllmArgs(spec.engineArgs),
    ],
    env,
  };
}

/**
 * The words with which vLLM is one of several nodes, by its own processes and without Ray. Each layer is split over the GPUs
 * of a node, which exchange much, and the layers over the nodes, which exchange little. Kubernetes puts in what the
 * controller of LeaderWorkerSets sets.
 */
function groupArgs({ role, hardware }: ContainerInput): string[] {
  if (role === "alone") return [];
  return [
    ...["--pipeline-parallel-size", String(hardware.nodes), "--distributed-executor-backend", "mp"],
    ...["--nnodes", String(hardware.nodes), "--node-rank", "$(LWS_WORKER_INDEX)"],
    ...["--master-addr", "$(LWS_LEADER_ADDRESS)", "--master-port", String(GROUP_PORT)],
    // Nodes wait for each other while one of them still downloads.
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

/** GPUs are requested as limits; Kubernetes takes the requests from them. */
function resourcesOf({ cpu, memory, gpu_count, gpu_resource }: Hardware) {
  const gpus = gpu_count > 0 ? { [gpu_resource]: String(gpu_count) } : {};
  return { requests: { cpu, memory, ...gpus }, limits: { memory, ...gpus } };
}

/** Images of vLLM run as root and write beside their program; the engine does neither. */
function confinement(isEngine: boolean) {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    ...(isEngine && { runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, readOnlyRootFilesystem: true }),
  };
}
