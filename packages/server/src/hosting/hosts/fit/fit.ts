import {
  chooseEngineSize,
  type EngineSize,
  type EstimatedModel,
  estimateEngineBytes,
  explainMissingRuntime,
  filesOf,
  findRuntime,
  type HostedModel,
  MIN_CONTEXT_TOKENS,
  type RuntimeLimits,
  type RuntimeName,
  runtimeForFiles,
  smallestEngineBytes,
} from "../../runtimes/index.ts";
import { estimateBytesPerToken, isPrecise, quantizationOf, toGigabytes } from "../../store/index.ts";
import type { FitLimits } from "./fit-limits.ts";

/**
 * Whether a model can be loaded: `fits` in nearly its original precision, `fits_quantized` in four to seven bits a weight,
 * `too_large`, or `unknown` because its size is unknown.
 */
export type FitVerdict = "fits" | "fits_quantized" | "too_large" | "unknown";

/** Whether and how a model can be loaded on this machine. Sizes are in bytes and estimated. */
export type ModelFit = {
  verdict: FitVerdict;
  /** The model's file on this machine; null if it has none. */
  file: string | null;
  /** The context that it would get, in tokens; null if it does not fit. */
  context: number | null;
  /**
   * The memory that it would take; for a model that is too large, the least that it would need. Null if its size is
   * unknown.
   */
  memoryBytes: number | null;
  /** The memory for models. */
  availableBytes: number;
  /** A sentence for people. */
  reason: string;
};

/** A model of the catalogue. `parameterSize` and `contextLength` are null if they are unknown. */
export type SizedModel = {
  key: string;
  parameterSize: number | null;
  contextLength: number | null;
  /** Sizes of its files on the hub, in bytes; absent or null if they are unknown. */
  source?: SourceSizes | null;
  /**
   * The size of its safetensors files on the hub and of one token of context, both in bytes. Null or absent if vLLM cannot
   * run it.
   */
  safetensors?: { bytes: number; bytesPerToken: number } | null;
};

/**
 * The sizes in bytes of the smallest file in nearly the original precision, null without one, and of the smallest file of
 * usable quality.
 */
export type SourceSizes = { preciseBytes: number | null; smallestBytes: number };

/** Estimates which models can be loaded on this machine. */
export type FitEstimate = {
  of(model: SizedModel): ModelFit;
  /** The largest number of parameters that fits, by verdict, for models without a file on this machine. */
  maxParameters: { fits: number; fits_quantized: number };
  /** The largest files on the hub that fit, by verdict, in bytes. */
  maxSourceBytes: { fits: number; fits_quantized: number };
  /** The largest size in bytes that vLLM can load: weights plus the cache of `contextTokens` tokens. Null without vLLM. */
  maxSafetensors: { bytes: number; contextTokens: number } | null;
  /** The verdicts of the models with a file here, by key. */
  hosted(): ReadonlyMap<string, FitVerdict>;
};

type Deps = FitLimits & {
  /** The models whose files are on the machine. */
  host: { find(key: string): HostedModel | null; ids(): string[] };
};

/**
 * A quantization and its bits per weight, scales included, as llama.cpp's quantizer prints them for a model of 8 billion
 * parameters.
 */
type Quantization = { name: string; bits: number };
const NEARLY_ORIGINAL: Quantization = { name: "Q8_0", bits: 8.5 };
const SMALLEST: Quantization = { name: "Q4_K_M", bits: 4.89 };
/** The quantizations that a download without a named one chooses from, best first. */
const QUANTIZATIONS: readonly Quantization[] = [
  NEARLY_ORIGINAL,
  { name: "Q6_K", bits: 6.6 },
  { name: "Q5_K_M", bits: 5.7 },
  SMALLEST,
];
/** Context of a model that does not state one, in tokens. */
const DEFAULT_CONTEXT_TOKENS = 4_096;

/** Creates the estimate for a machine. */
export function createFitEstimate(deps: Deps): FitEstimate {
  const { host } = deps;
  const maxParameters = {
    fits: findMaxParameters(deps, NEARLY_ORIGINAL),
    fits_quantized: findMaxParameters(deps, SMALLEST),
  };
  const maxSourceBytes = {
    fits: toFileBytes(maxParameters.fits, NEARLY_ORIGINAL),
    fits_quantized: toFileBytes(maxParameters.fits_quantized, SMALLEST),
  };
  const maxSafetensors = findMaxSafetensors(deps);
  return {
    of: (model) => estimateFit(deps, { maxSourceBytes, maxSafetensors }, model),
    maxSafetensors,
    maxParameters,
    maxSourceBytes,
    hosted: () =>
      new Map(
        host.ids().flatMap((key) => {
          const model = host.find(key);
          return model ? [[key, fitOfFile(deps, model).verdict] as const] : [];
        }),
      ),
  };
}

function estimateFit(
  deps: Deps,
  { maxSourceBytes, maxSafetensors }: Pick<FitEstimate, "maxSourceBytes" | "maxSafetensors">,
  { key, parameterSize, contextLength, source, safetensors }: SizedModel,
): ModelFit {
  const { availableBytes, contextTokens } = deps;
  const hosted = deps.host.find(key);
  if (hosted) return fitOfFile(deps, hosted);
  const onGpu = safetensors ? fitOfSafetensors(deps, maxSafetensors, safetensors, contextLength) : null;
  if (onGpu) return onGpu;
  if (source) return fitOfSource(deps, maxSourceBytes, source, contextLength);
  if (parameterSize === null)
    return {
      verdict: "unknown",
      file: null,
      context: null,
      memoryBytes: null,
      availableBytes,
      reason: "The number of its parameters is not known.",
    };
  const context = Math.min(contextLength ?? DEFAULT_CONTEXT_TOKENS, contextTokens);
  const quantization = QUANTIZATIONS.find((candidate) => isLoadable(deps, parameterSize, candidate));
  const model = toEstimatedModel(parameterSize, context, quantization ?? SMALLEST);
  const size = quantization ? chooseEngineSize(model, availableBytes) : null;
  const verdict = quantization === NEARLY_ORIGINAL ? "fits" : "fits_quantized";
  const how = `as ${(quantization ?? SMALLEST).name}`;
  return {
    file: null,
    ...toSizes(availableBytes, { model, size, verdict, how, memory: ggufMemoryName(deps) }),
  };
}

/**
 * Returns the fit of a model whose file sizes on the hub are known. The catalogue filters by the same `maxSourceBytes`, so
 * both give one verdict.
 */
function fitOfSource(
  deps: Deps,
  maxSourceBytes: FitEstimate["maxSourceBytes"],
  { preciseBytes, smallestBytes }: SourceSizes,
  contextLength: number | null,
): ModelFit {
  const isPreciseEnough = preciseBytes !== null && preciseBytes <= maxSourceBytes.fits;
  const [bytes, quantization] = isPreciseEnough ? [preciseBytes, NEARLY_ORIGINAL] : [smallestBytes, SMALLEST];
  const context = Math.min(contextLength ?? DEFAULT_CONTEXT_TOKENS, deps.contextTokens);
  const model = {
    size: bytes,
    contextLength: context,
    bytesPerToken: estimateBytesPerToken((bytes * 8) / quantization.bits),
  };
  const fits = isPreciseEnough || smallestBytes <= maxSourceBytes.fits_quantized;
  const size = fits ? chooseEngineSize(model, deps.availableBytes) : null;
  const verdict = isPreciseEnough ? "fits" : "fits_quantized";
  const how = `with its file of ${toGigabytes(bytes)}`;
  return {
    file: null,
    ...toSizes(deps.availableBytes, { model, size, verdict, how, memory: ggufMemoryName(deps) }),
  };
}

/**
 * Returns the fit of a model that vLLM would run; null if vLLM cannot, so that a GGUF file is used. The catalogue filters
 * by the same `max`, so both give one verdict.
 */
function fitOfSafetensors(
  { runtimes, contextTokens }: Deps,
  max: FitEstimate["maxSafetensors"],
  { bytes, bytesPerToken }: NonNullable<SizedModel["safetensors"]>,
  contextLength: number | null,
): ModelFit | null {
  const { name, runtime } = findSafetensorsRuntime(runtimes);
  if (runtime === null || max === null || bytes + max.contextTokens * bytesPerToken > max.bytes) return null;
  const { memory, memoryName } = runtime;
  const context = Math.min(contextLength ?? DEFAULT_CONTEXT_TOKENS, contextTokens);
  const model = { runtime: name, size: bytes, contextLength: context, bytesPerToken };
  const size = chooseEngineSize(model, memory.budget);
  const sizes = { model, size, verdict: "fits" as const, how: "as safetensors", memory: memoryName };
  return { file: null, ...toSizes(memory.budget, sizes) };
}

/** Returns the memory that vLLM has left for the weights and the context of one model, in bytes. Null without vLLM. */
function findMaxSafetensors({ runtimes, contextTokens }: Deps): FitEstimate["maxSafetensors"] {
  const { name, runtime } = findSafetensorsRuntime(runtimes);
  if (runtime === null) return null;
  const overhead = estimateEngineBytes({ runtime: name, size: 0, contextLength: 0, bytesPerToken: 0 });
  return { bytes: runtime.memory.budget - overhead, contextTokens: Math.min(contextTokens, MIN_CONTEXT_TOKENS) };
}

function findSafetensorsRuntime(runtimes: RuntimeLimits) {
  const name: RuntimeName = runtimeForFiles(runtimes, "safetensors");
  return { name, runtime: findRuntime(runtimes, { runtime: name }) };
}

/** Returns the fit of a model that is hosted, from the size of its file. */
function fitOfFile({ runtimes }: Deps, model: HostedModel): ModelFit {
  const file = model.fileName;
  const runtime = findRuntime(runtimes, model);
  if (runtime === null) {
    const reason = explainMissingRuntime(runtimes, model) ?? "";
    return {
      verdict: "too_large",
      file,
      context: null,
      memoryBytes: smallestEngineBytes(model),
      availableBytes: 0,
      reason,
    };
  }
  const availableBytes = runtime.memory.budget;
  const verdict = isPrecise(quantizationOf(file)) ? "fits" : "fits_quantized";
  const size = chooseEngineSize(model, availableBytes);
  const how = `as ${filesOf(model) === "safetensors" ? "safetensors" : file}`;
  return {
    file,
    ...toSizes(availableBytes, { model, size, verdict, how, memory: runtime.memoryName }),
  };
}

/** Returns the name of the memory of the program that runs models in GGUF files. */
function ggufMemoryName({ runtimes }: Deps): string {
  return findRuntime(runtimes, { runtime: runtimeForFiles(runtimes, "gguf") })?.memoryName ?? "memory";
}

type Sizes = {
  model: EstimatedModel;
  size: EngineSize | null;
  verdict: FitVerdict;
  /** The quantization or the file, such as `as Q8_0`. */
  how: string;
  memory: string;
};

function toSizes(availableBytes: number, { model, size, verdict, how, memory }: Sizes): Omit<ModelFit, "file"> {
  const memoryBytes = size?.bytes ?? smallestEngineBytes(model);
  const [needed, available] = [toGigabytes(memoryBytes), toGigabytes(availableBytes)];
  return {
    verdict: size ? verdict : "too_large",
    context: size?.contextLength ?? null,
    memoryBytes,
    availableBytes,
    reason: size
      ? `It takes about ${needed} of ${memory} ${how}; models may take ${available} here.`
      : `It takes ${needed} of ${memory} or more ${how}, and models may take ${available} here.`,
  };
}

function toEstimatedModel(parameters: number, contextLength: number, quantization: Quantization): EstimatedModel {
  return {
    size: toFileBytes(parameters, quantization),
    contextLength,
    bytesPerToken: estimateBytesPerToken(parameters),
  };
}

const toFileBytes = (parameters: number, { bits }: Quantization): number => Math.ceil((parameters * bits) / 8);

/**
 * Returns whether a model with this number of parameters can be downloaded in this quantization and loaded with the
 * smallest context.
 */
function isLoadable(
  { availableBytes, maxFileBytes, contextTokens }: Deps,
  parameters: number,
  quantization: Quantization,
) {
  const model = toEstimatedModel(parameters, contextTokens, quantization);
  return model.size <= maxFileBytes && smallestEngineBytes(model) <= availableBytes;
}

/**
 * Returns the largest number of parameters that is loadable. Bisection works, because the memory grows with the number of
 * parameters.
 */
function findMaxParameters(deps: Deps, quantization: Quantization): number {
  let [low, high] = [0, deps.availableBytes * 8];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isLoadable(deps, middle, quantization)) low = middle;
    else high = middle;
  }
  return low;
}
