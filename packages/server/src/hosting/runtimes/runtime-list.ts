import type { Program } from "../../gateway/index.ts";
import { LLAMA_CPP } from "./llama-cpp/llama-cpp.ts";
import { LLAMA_SERVER } from "./llama-server/llama-server.ts";
import type { ModelFiles, RuntimeDefinition } from "./runtime.ts";
import { SGLANG } from "./sglang/sglang.ts";
import { VLLM } from "./vllm/vllm.ts";

/**
 * The programs that run models, in the order in which they are listed. Of those that read the same files, the first one that
 * is available runs a model, unless another one is needed for it (`chooseRuntime`).
 */
export const RUNTIMES = [LLAMA_CPP, LLAMA_SERVER, VLLM, SGLANG] as const satisfies readonly RuntimeDefinition[];

/** The name of a program that runs models. */
export type RuntimeName = (typeof RUNTIMES)[number]["name"];

/** The names of all programs that run models. */
export const RUNTIME_NAMES: readonly RuntimeName[] = RUNTIMES.map(({ name }) => name);

/** A model, and the program that runs it; the engine by default. */
type RunModel = { runtime?: RuntimeName };
/** A model, and the size of its projector file in bytes; absent or 0 without one. */
type SeeingModel = RunModel & { projectorBytes?: number };

const DEFINITIONS: ReadonlyMap<RuntimeName, RuntimeDefinition> = new Map(
  RUNTIMES.map((definition) => [definition.name, definition]),
);

/** Returns whether a name is that of a runtime; false for one that only a later version of the server has. */
export const isRuntimeName = (name: string): name is RuntimeName => RUNTIME_NAMES.some((known) => known === name);

/** Returns the name of the program that runs a model. */
export const runtimeNameOf = ({ runtime = LLAMA_CPP.name }: RunModel): RuntimeName => runtime;

/** Returns the program that runs a model. */
export function runtimeOf(model: RunModel): RuntimeDefinition {
  return DEFINITIONS.get(runtimeNameOf(model)) ?? LLAMA_CPP;
}

/** Returns the name in the gateway of the program that runs a model. */
export const programOf = (model: RunModel): Program => runtimeOf(model).program;

/** Returns the files from which a model runs. */
export const filesOf = (model: RunModel): ModelFiles => runtimeOf(model).files;

/** Returns whether a model reads only text with the program that runs it, even if it was trained for more. */
export function readsTextOnly({ projectorBytes = 0, ...model }: SeeingModel): boolean {
  const { readsImages } = runtimeOf(model).abilities;
  return readsImages === "never" || (readsImages === "with_projector" && projectorBytes === 0);
}

/** Returns the memory of the process that runs a model in addition to weights and context, in bytes. */
export const overheadBytesOf = (model: RunModel): number => runtimeOf(model).overheadBytes;
