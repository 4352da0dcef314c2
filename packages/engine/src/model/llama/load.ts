import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Llama, LlamaContext, LlamaModel } from "node-llama-cpp";
import { type EngineModel, type GpuType, ModelLoadError } from "../engine-model.ts";
import { createChatSupport } from "./chat-wrapper.ts";
import { findUnknownArchitecture } from "./check-architecture.ts";
import { createEmbedder } from "./embedder.ts";
import { openLlama } from "./open-llama.ts";
import { createPrompts } from "./prompts.ts";
import { createSequencePool } from "./sequence-pool.ts";
import { RENDER_LIMIT, type RenderLimit } from "./template-renderer.ts";

/** Which file to load, and how many sequences and threads to run. */
export type LlamaModelSettings = {
  path: string;
  /** Tokens per sequence; default: what the model was trained on, at most {@link DEFAULT_MAX_CONTEXT}. */
  contextLength: number | undefined;
  sequences: number;
  threads: number | undefined;
  /** How a graphics card is used; undefined to run on the processor alone. */
  gpu?: GpuType | undefined;
  /** How long the model's chat template may render; default: {@link RENDER_LIMIT}. */
  renderLimit?: RenderLimit;
  log: (message: string) => void;
  /** Called with the share of the file that is read, from 0 to 1. */
  onProgress?: (progress: number) => void;
};

/** A context takes memory even when unused, so a longer one must be requested explicitly. */
const DEFAULT_MAX_CONTEXT = 8192;
/** Smaller models run on one thread, since synchronization would take longer than the computation. */
const SINGLE_THREAD_BYTES = 64 * 1024 * 1024;

/**
 * Loads a GGUF file into llama.cpp. As many layers go to the graphics card as fit there together with the context.
 * Throws `ModelLoadError`.
 */
export async function loadLlamaModel(settings: LlamaModelSettings): Promise<EngineModel> {
  const size = await readFileSize(settings.path);
  let unknownArchitecture: string | null = null;
  const llama = await openLlama({
    gpu: settings.gpu,
    log: settings.log,
    onLine: (line) => {
      unknownArchitecture ??= findUnknownArchitecture(line);
    },
  });
  const model = await loadModel(llama, settings, () => unknownArchitecture);
  const threads = settings.threads ?? defaultThreads(size);
  const contextSize = settings.contextLength ?? Math.min(model.trainContextSize, DEFAULT_MAX_CONTEXT);
  const context = await createContext(model, { contextSize, sequences: settings.sequences, threads });
  return createModel({ llama, model, context, settings, threads });
}

type LoadedModel = {
  llama: Llama;
  model: LlamaModel;
  context: LlamaContext;
  settings: LlamaModelSettings;
  threads: number;
};

function createModel({ llama, model, context, settings, threads }: LoadedModel): EngineModel {
  const pool = createSequencePool(context, settings.sequences);
  const embedder = createEmbedder(model, { contextSize: context.contextSize, threads });
  const { renderLimit: limit = RENDER_LIMIT, log } = settings;
  const { supportsTools, readsTemplateVariable, ...chat } = createChatSupport(model, { limit, log });
  const prompts = createPrompts({ llama, model, ...chat, pool });
  return {
    contextLength: context.contextSize,
    sequences: settings.sequences,
    embeddingLength: model.embeddingVectorSize,
    supportsTools,
    // Replies of these families are taken apart by a parser, which accepts what the model writes.
    holdsOwnCalls: chat.toolFormat === null,
    readsTemplateVariable,
    load: () => ({ active: pool.active + embedder.active, waiting: pool.waiting + embedder.waiting }),
    promptFromChat: prompts.fromChat,
    promptFromText: prompts.fromText,
    promptFromTokens: prompts.fromTokens,
    tokenize: (text) => model.tokenize(text),
    embed: (text, signal, priority) => embedder.embed(text, signal, priority),
    close: () => llama.dispose(),
  };
}

async function readFileSize(path: string): Promise<number> {
  try {
    const file = await stat(path);
    if (!file.isFile()) throw new ModelLoadError(`${path} is not a file.`);
    return file.size;
  } catch (error) {
    if (error instanceof ModelLoadError) throw error;
    throw new ModelLoadError(`The model file ${path} can't be read: ${toReason(error)}`);
  }
}

async function loadModel(
  llama: Llama,
  { path: modelPath, onProgress, contextLength, sequences, log }: LlamaModelSettings,
  getUnknownArchitecture: () => string | null,
): Promise<LlamaModel> {
  try {
    const fitContext = { contextSize: (contextLength ?? DEFAULT_MAX_CONTEXT) * sequences };
    const model = await llama.loadModel({
      modelPath,
      ...(onProgress && { onLoadProgress: onProgress }),
      ...(llama.gpu !== false && { gpuLayers: { fitContext } }),
    });
    if (llama.gpu !== false) log(`${model.gpuLayers} layers are on the graphics card (${llama.gpu})`);
    return model;
  } catch (error) {
    const architecture = getUnknownArchitecture();
    if (architecture !== null)
      throw new ModelLoadError(
        `${modelPath} has the architecture ${architecture}, which the llama.cpp of this server does not know.`,
      );
    throw new ModelLoadError(`${modelPath} is not a GGUF model that llama.cpp can load: ${toReason(error)}`);
  }
}

async function createContext(
  model: LlamaModel,
  options: { contextSize: number; sequences: number; threads: number },
): Promise<LlamaContext> {
  try {
    return await model.createContext(options);
  } catch (error) {
    const size = `${options.sequences} sequence(s) of ${options.contextSize} tokens`;
    throw new ModelLoadError(
      `There is no room for ${size}; ask for less with --context or --sequences: ${toReason(error)}`,
    );
  }
}

function defaultThreads(modelBytes: number): number {
  return modelBytes < SINGLE_THREAD_BYTES ? 1 : availableParallelism();
}

function toReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0] ?? message;
}
