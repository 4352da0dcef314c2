import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import { architectureOf, type HubModel } from "../../hub/index.ts";
import type { IsKnownArchitecture } from "../../runtimes/index.ts";
import {
  explainMissingRuntime,
  findRuntime,
  type RuntimeLimits,
  runtimeForFiles,
  runtimeOf,
  smallestEngineBytes,
} from "../../runtimes/index.ts";
import { listLoadableFiles } from "../files/choose-file.ts";
import { readSafetensorsFacts, type SafetensorsFacts } from "../files/safetensors-facts.ts";
import { toGigabytes } from "../store.errors.ts";

type Deps = {
  runtimes: RuntimeLimits;
  isKnownArchitecture: IsKnownArchitecture;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
};
/** A repository with safetensors files and no GGUF file. */
export type SafetensorsSource = { repository: HubModel; facts: SafetensorsFacts };
/**
 * Why vLLM cannot run a model on this server: a sentence, if vLLM is not available or does not know the architecture; or
 * the sizes, if the GPU memory is too small.
 */
type Problem = { reason: string } | { neededBytes: number; availableBytes: number };

/** Context of a model that does not state one, in tokens. */
const DEFAULT_CONTEXT_TOKENS = 4_096;

/** Returns the context that a model gets, in tokens: the model's own up to the limit. */
export function contextLengthOf(contextLength: number | null, contextTokens: number): number {
  return Math.min(contextLength ?? DEFAULT_CONTEXT_TOKENS, contextTokens);
}

/** Returns the repository and the sizes of its safetensors files. Null if it has none, or has a GGUF file. */
export function toSafetensorsSource(repository: HubModel): SafetensorsSource | null {
  if (listLoadableFiles(repository.files).length > 0) return null;
  const facts = readSafetensorsFacts(repository);
  return facts && { repository, facts };
}

/**
 * Returns the files of a repository that would run here, and the program that would run them, or a sentence that says why
 * they cannot. Null for a repository with a GGUF file or without safetensors files.
 */
export async function planSafetensors(
  deps: Deps,
  repository: HubModel,
): Promise<{ facts: SafetensorsFacts; program: string } | { problem: string } | null> {
  const source = toSafetensorsSource(repository);
  if (source === null) return null;
  const problem = await findProblem(deps, source);
  if (problem === null) return { facts: source.facts, program: titleOf(deps) };
  if ("reason" in problem) return { problem: problem.reason };
  const [needed, available] = [toGigabytes(problem.neededBytes), toGigabytes(problem.availableBytes)];
  return {
    problem: `It needs ${needed} of GPU memory or more with ${titleOf(deps)}, and models may take ${available} here.`,
  };
}

/**
 * Returns the error that says why vLLM cannot run a model here: `store.needs_vllm` or `store.too_large_for_gpu`. Null if it
 * can.
 */
export async function explainUnfit(deps: Deps, source: SafetensorsSource): Promise<AppError | null> {
  const problem = await findProblem(deps, source);
  if (problem === null) return null;
  const { id: repository } = source.repository;
  if ("reason" in problem) return errors.store.needsVllm({ repository, reason: problem.reason }, { param: "model_id" });
  const sizes = { needed: toGigabytes(problem.neededBytes), available: toGigabytes(problem.availableBytes) };
  return errors.store.tooLargeForGpu({ repository, program: titleOf(deps), ...sizes }, { param: "model_id" });
}

const titleOf = ({ runtimes }: Deps): string => runtimeOf({ runtime: runtimeForFiles(runtimes, "safetensors") }).title;

async function findProblem(
  { runtimes, isKnownArchitecture, contextTokens }: Deps,
  { repository, facts }: SafetensorsSource,
): Promise<Problem | null> {
  const needed = { runtime: runtimeForFiles(runtimes, "safetensors") };
  const runtime = findRuntime(runtimes, needed);
  if (runtime === null) return { reason: explainMissingRuntime(runtimes, needed) ?? "" };
  const architecture = architectureOf(repository.config);
  if (architecture !== null && !(await isKnownArchitecture(architecture)))
    return { reason: `The ${runtimeOf(needed).title} of this server does not know the architecture ${architecture}.` };
  const contextLength = contextLengthOf(facts.contextLength, contextTokens);
  const neededBytes = smallestEngineBytes({ ...needed, ...facts, contextLength });
  const { budget: availableBytes } = runtime.memory;
  return neededBytes <= availableBytes ? null : { neededBytes, availableBytes };
}
