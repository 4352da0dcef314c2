import { errors } from "../../../core/errors/index.ts";
import { isPrivateModelKey, modelIdOf } from "../../../core/model-keys.ts";
import { invalidEngineArg, parseEngineArgs } from "../engine-args.ts";
import type { DeploymentSpec } from "../provider.ts";
import type { EngineFile } from "./containers.ts";
import { type Hardware, runtimeOf } from "./hardware.ts";
import { parseVllmArgs } from "./vllm-args.ts";

/** What is known about the file of a model on this server. */
export type KnownFile = { fileName: string; repository?: string; revision?: string };

/** Where models come from. */
export type ModelSources = {
  /** Address of the hub; null if a folder stands for it, which pods cannot reach. */
  hubUrl: string | null;
  /** The models that are part of the engine's image. */
  builtInModels: ReadonlySet<string>;
  /** Returns the file of a model that was downloaded to this server; null if there is none. */
  findFile(modelKey: string, organizationId: string): KnownFile | null;
};

const DEFAULT_REVISION = "main";
const GGUF_PATH = /^(?!\/)(?!.*\.\.)[\w./ -]{1,300}\.gguf$/i;

/**
 * Returns the file that the engine runs; null for vLLM, which finds files by itself. Throws for options that are not
 * known, and for models whose files pods cannot get.
 */
export function findEngineFile(spec: DeploymentSpec, hardware: Hardware, sources: ModelSources): EngineFile | null {
  const { modelKey, organizationId, engineArgs, revision } = spec;
  const { hubUrl, builtInModels, findFile } = sources;
  const model = modelIdOf(modelKey);
  if (isPrivateModelKey(modelKey))
    throw unusable(`${model} is a private model, whose files are on this server only. Run it on this machine.`);
  if (runtimeOf(hardware) === "vllm") {
    parseVllmArgs(engineArgs);
    if (builtInModels.has(model))
      throw unusable(`${model} is a GGUF file. Choose a kind of machine that runs the engine.`);
    if (hubUrl === null) throw unusable("FEATHER_HUB_DIR is a folder of this server, from which pods cannot download.");
    return null;
  }
  const { file: named, ...engineOptions } = engineArgs;
  parseEngineArgs(engineOptions);
  if (named !== undefined && (typeof named !== "string" || !GGUF_PATH.test(named)))
    throw invalidEngineArg("file is the path of a .gguf file in the model's repository.");
  if (builtInModels.has(model)) return { from: "image" };
  if (hubUrl === null) throw unusable("FEATHER_HUB_DIR is a folder of this server, from which pods cannot download.");
  const known = findFile(modelKey, organizationId);
  const file = named ?? known?.fileName;
  if (file === undefined)
    throw unusable(
      `Nothing says which file of ${model} to run. Name it in engine_args: {"file": "….gguf"}, or download the model to this server.`,
    );
  const isKnown = named === undefined || named === known?.fileName;
  return {
    from: "hub",
    repository: (isKnown && known?.repository) || model,
    revision: revision ?? (isKnown ? known?.revision : undefined) ?? DEFAULT_REVISION,
    file,
  };
}

function unusable(message: string) {
  return errors.invalidRequest(message, { param: "model_id" });
}
