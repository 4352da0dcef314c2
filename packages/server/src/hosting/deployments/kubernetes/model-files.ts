import { errors } from "../../../platform/core/errors/index.ts";
import { isPrivateModelKey, modelIdOf } from "../../../platform/core/models/model-keys.ts";
import type { ModelFiles } from "../../runtimes/index.ts";
import { invalidEngineArg, parseEngineArgs } from "../engine-args.ts";
import type { DeploymentSpec } from "../provider.ts";
import type { PodFiles } from "./containers.ts";
import { type Hardware, type PodRuntime, runtimeOf } from "./hardware.ts";
import { parseVllmArgs } from "./vllm-args.ts";

/** The files of a model that are stored on this server. */
export type KnownFiles = {
  files: ModelFiles;
  fileName: string;
  repository?: string | undefined;
  revision?: string | undefined;
  /** Whether a file was converted on this server; the hub does not have such a file. */
  isConverted: boolean;
  /**
   * The version and the names under which this server sends the files to pods; null if it does not have the files.
   * `prepare` starts computing the checksums that pods verify.
   */
  served: { version: string; names: readonly string[]; prepare(): void } | null;
};

/** The sources of model files. */
export type ModelSources = {
  /** Address of the hub; null if a folder is used as the hub, since pods cannot reach it. */
  hubUrl: string | null;
  /** Address under which pods reach this server; null if they cannot reach it. */
  serverUrl: string | null;
  /** Whether an engine image is configured, which downloads files into pods. */
  hasEngineImage: boolean;
  /** The models in the engine's image. */
  builtInModels: ReadonlySet<string>;
  /** Returns the stored files of a model; null if they were not downloaded to this server. */
  findFiles(modelKey: string, organizationId: string): KnownFiles | null;
};

const DEFAULT_REVISION = "main";
const GGUF_PATH = /^(?!\/)(?!.*\.\.)[\w./ -]{1,300}\.gguf$/i;

/** Returns the source of a model's files for pods. Throws for unsupported options, and if pods cannot get the files. */
export function findPodFiles(spec: DeploymentSpec, hardware: Hardware, sources: ModelSources): PodFiles {
  const runtime = runtimeOf(hardware);
  const { file: named, ...engineOptions } = spec.engineArgs;
  if (runtime === "vllm") parseVllmArgs(spec.engineArgs);
  else parseEngineArgs(engineOptions);
  if (runtime === "engine" && named !== undefined && (typeof named !== "string" || !GGUF_PATH.test(named)))
    throw invalidEngineArg("file is the path of a .gguf file in the model's repository.");
  const model = modelIdOf(spec.modelKey);
  if (!isPrivateModelKey(spec.modelKey) && sources.builtInModels.has(model)) {
    if (runtime === "vllm") throw unusable(`${model} is a GGUF file. Choose a kind of machine that runs the engine.`);
    return { from: "image" };
  }
  const known = sources.findFiles(spec.modelKey, spec.organizationId);
  const reason = findReasonToServe(spec, known, sources);
  if (reason !== null) return serveFiles(spec, runtime, { known, reason, sources });
  return runtime === "vllm" ? { from: "vllm" } : findHubFile(spec, known);
}

/** Returns the reason why pods cannot download the files from the hub; null if they can. */
function findReasonToServe(
  { modelKey, engineArgs: { file } }: DeploymentSpec,
  known: KnownFiles | null,
  { hubUrl }: ModelSources,
): string | null {
  const model = modelIdOf(modelKey);
  if (isPrivateModelKey(modelKey)) return `${model} is a private model, whose files are on this server only.`;
  if (hubUrl === null) return "FEATHER_HUB_DIR is a folder of this server, from which pods cannot download.";
  const isConverted = known?.isConverted === true && (file === undefined || file === known.fileName);
  return isConverted ? `The GGUF file of ${model} was converted on this server, so the hub does not have it.` : null;
}

/** Returns this server as the source of the files. Throws `invalid_request` if pods cannot get them from here. */
function serveFiles(
  { modelKey, revision, engineArgs: { file: named } }: DeploymentSpec,
  runtime: PodRuntime,
  { known, reason, sources }: { known: KnownFiles | null; reason: string; sources: ModelSources },
): PodFiles {
  const model = modelIdOf(modelKey);
  const { serverUrl, hasEngineImage } = sources;
  if (serverUrl === null)
    throw unusable(`${reason} Pods can get it from here once the operator sets FEATHER_KUBERNETES_SERVER_URL.`);
  if (!hasEngineImage)
    throw unusable(
      `${reason} Pods get it from here with the engine's image: FEATHER_KUBERNETES_ENGINE_IMAGE is not set.`,
    );
  const served = known?.served ?? null;
  if (known === null || served === null)
    throw unusable(`${reason} This server has no files of ${model}: download it first.`);
  if (known.files !== filesOf(runtime)) {
    const [is, needed] =
      known.files === "safetensors" ? ["in safetensors files", "vLLM"] : ["a GGUF file", "the engine"];
    throw unusable(`${model} is ${is}. Choose a kind of machine that runs ${needed}.`);
  }
  if (named !== undefined && named !== known.fileName)
    throw invalidEngineArg(`file cannot be chosen: this server has ${known.fileName} of ${model}.`);
  if (revision !== null && revision !== DEFAULT_REVISION && revision !== known.revision)
    throw errors.deployments.revisionNotHere(
      { model, revision, storedRevision: known.revision ?? "another commit" },
      { param: "revision" },
    );
  const { version, names, prepare } = served;
  prepare();
  return { from: "server", version, names };
}

/**
 * Returns the GGUF file on the hub that the engine runs. Throws `invalid_request` if neither the deployment nor this server
 * names one.
 */
function findHubFile(
  { modelKey, revision, engineArgs: { file: named } }: DeploymentSpec,
  known: KnownFiles | null,
): PodFiles {
  const model = modelIdOf(modelKey);
  const file = named ?? (known?.files === "gguf" ? known.fileName : undefined);
  if (file === undefined)
    throw unusable(
      `Nothing says which file of ${model} to run. Name it in engine_args: {"file": "….gguf"}, or download the model to this server.`,
    );
  const isKnown = named === undefined || named === known?.fileName;
  return {
    from: "hub",
    repository: (isKnown && known?.repository) || model,
    revision: revision ?? (isKnown ? known?.revision : undefined) ?? DEFAULT_REVISION,
    file: String(file),
  };
}

/** Returns the files that a program in pods reads. */
function filesOf(runtime: PodRuntime): ModelFiles {
  return runtime === "vllm" ? "safetensors" : "gguf";
}

function unusable(message: string) {
  return errors.invalidRequest(message, { param: "model_id" });
}
