import { getLlama, type Llama, LlamaLogLevel } from "node-llama-cpp";
import type { GpuType } from "../engine-model.ts";

type Options = { gpu: GpuType | undefined; log: (message: string) => void; onLine?: (line: string) => void };

const TRIAL_CONTEXT = 32;

/** The graphics cards that llama.cpp can use, and their memory in bytes; `devices` is empty if it can use none. */
export type GpuState = { devices: readonly string[]; total_bytes: number; free_bytes: number };

/**
 * Loads llama.cpp's bindings for a kind of graphics card. Where those cannot be loaded, or find no card, it says so in the
 * log and loads the ones for the processor.
 */
export async function openLlama({ gpu, log, onLine }: Options): Promise<Llama> {
  const load = (type: GpuType | false) =>
    getLlama({
      gpu: type,
      build: "never",
      logLevel: LlamaLogLevel.warn,
      logger: (level, message) => {
        onLine?.(message);
        log(`llama.cpp ${level}: ${message.trim()}`);
      },
    });
  if (gpu === undefined) return load(false);
  try {
    return await load(gpu);
  } catch (error) {
    log(`llama.cpp cannot use ${gpu}, so the processor is used: ${error instanceof Error ? error.message : error}`);
    return load(false);
  }
}

/**
 * Returns the graphics cards that llama.cpp can use with this kind of bindings. With a model, one token is computed on
 * them first: where the driver cannot run the bindings' code, llama.cpp then reports it and ends the process.
 */
export async function readGpuState(
  gpu: GpuType,
  modelPath: string | undefined,
  log: (message: string) => void,
): Promise<GpuState> {
  const llama = await openLlama({ gpu, log });
  if (llama.gpu === false) return { devices: [], total_bytes: 0, free_bytes: 0 };
  const { total, free } = await llama.getVramState();
  if (modelPath !== undefined) await computeToken(llama, modelPath);
  return { devices: await llama.getGpuDeviceNames(), total_bytes: total, free_bytes: free };
}

async function computeToken(llama: Llama, modelPath: string): Promise<void> {
  const model = await llama.loadModel({ modelPath, gpuLayers: "max", defaultContextFlashAttention: false });
  const context = await model.createContext({ contextSize: TRIAL_CONTEXT });
  const [token] = model.tokenize("a");
  if (token !== undefined) await context.getSequence().evaluateWithoutGeneratingNewTokens([token]);
  await model.dispose();
}
