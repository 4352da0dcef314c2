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
/** Where the engine's image has the models of the installation. */
const BUILT_IN_FOLDER = "/models";
const STARTUP_PERIOD_S = 5;
/** Weights are downloaded and loaded in this time, in seconds. */
const STARTUP_LIMIT_S = 3_600;

/** Where the engine finds the file of a model. */
export type EngineFile =
  | { from: "image" }
  /** `file` is the first part of a split file. The repository may be another than the model's. */
  | { from: "hub"; repository: string; revision: string; file: string };

/** What containers are made of. */
export type ContainerInput = {
  spec: DeploymentSpec;
  hardware: Hardware;
  settings: KubernetesSettings;
  secretName: string;
  /** Address of the hub; null if a folder stands for it. */
  hubUrl: string | null;
  /** Null where vLLM runs the model. */
  engineFile: EngineFile | null;
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

/** Returns the container that downloads the file of a model before the engine starts; null if none is needed. */
export function weightsContainer(input: ContainerInput): V1Container | null {
  const { spec, settings, secretName, hubUrl, engineFile } = input;
  if (engineFile?.from !== "hub" || hubUrl === null) return null;
  const { repository, revision, file } = engineFile;
  const address = `${hubUrl.replace(/\/+$/, "")}/${repository}/resolve/${encodeURIComponent(revision)}`;
  const urls = listPartPaths(file).map((path) => `${address}/${path.split("/").map(encodeURIComponent).join("/")}`);
  return {
    name: WEIGHTS_CONTAINER,
    image: settings.engineImage ?? "",
    imagePullPolicy: settings.imagePullPolicy,
    command: ["feather-engine"],
    args: ["fetch", hubFolder(spec, revision), ...urls],
    env: [hubTokenVariable(secretName)],
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: confinement(true),
    ...TERMINATION,
    volumeMounts: [cacheMount(input), { name: "tmp", mountPath: "/tmp" }],
  };
}

const HEALTH = { httpGet: { path: "/health", port: "http" } };
/** The end of the log becomes the reason of a container that failed. */
const TERMINATION = { terminationMessagePolicy: "FallbackToLogsOnError" };

/** Organizations share a claim, but no folder of it. */
function cacheMount({ settings, spec }: ContainerInput): V1VolumeMount {
  const subPath = settings.cacheClaim === undefined ? {} : { subPath: spec.organizationId };
  return { name: "cache", mountPath: CACHE_FOLDER, ...subPath };
}

function engineCommand({ spec, secretName, engineFile }: ContainerInput) {
  const { file: _, ...engineArgs } = spec.engineArgs;
  const { contextLength, sequences, threads } = parseEngineArgs(engineArgs);
  const option = (name: string, value: number | undefined) => (value === undefined ? [] : [name, String(value)]);
  return {
    command: ["feather-engine"],
    args: [
      ...["serve", enginePath(spec, engineFile), "--host", "0.0.0.0", "--port", String(POD_PORT)],
      ...["--model-id", modelIdOf(spec.modelKey)],
      ...option("--context", contextLength),
      ...option("--sequences", sequences),
      ...option("--threads", threads),
    ],
    env: [secretVariable("FEATHER_ENGINE_API_KEY", secretName, API_KEY), { name: "HOME", value: "/tmp" }],
  };
}

function enginePath(spec: DeploymentSpec, engineFile: EngineFile | null): string {
  const id = modelIdOf(spec.modelKey);
  if (engineFile?.from !== "hub") return `${BUILT_IN_FOLDER}/${id}.gguf`;
  const name = engineFile.file.split("/").at(-1) ?? engineFile.file;
  return `${hubFolder(spec, engineFile.revision)}/${name}`;
}

function hubFolder({ modelKey }: DeploymentSpec, revision: string): string {
  return `${CACHE_FOLDER}/gguf/${modelIdOf(modelKey)}/${revision.replaceAll("/", "--")}`;
}

function vllmCommand({ spec, hardware, secretName, hubUrl }: ContainerInput) {
  const id = modelIdOf(spec.modelKey);
  const env: V1EnvVar[] = [
    secretVariable("VLLM_API_KEY", secretName, API_KEY),
    hubTokenVariable(secretName),
    { name: "HF_HOME", value: `${CACHE_FOLDER}/huggingface` },
    ...(hubUrl === null ? [] : [{ name: "HF_ENDPOINT", value: hubUrl }]),
    { name: "VLLM_CACHE_ROOT", value: `${CACHE_FOLDER}/vllm` },
    { name: "VLLM_NO_USAGE_STATS", value: "1" },
  ];
  return {
    command: ["vllm"],
    args: [
      ...["serve", id, "--port", String(POD_PORT), "--served-model-name", id],
      ...(spec.revision === null ? [] : ["--revision", spec.revision]),
      ...(hardware.gpu_count > 1 ? ["--tensor-parallel-size", String(hardware.gpu_count)] : []),
      ...parseVllmArgs(spec.engineArgs),
    ],
    env,
  };
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
