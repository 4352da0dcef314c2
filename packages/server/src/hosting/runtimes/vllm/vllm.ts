import type { RuntimeDefinition } from "../runtime.ts";
import { detectVllm, toRuntimeState } from "./detect-vllm.ts";
import { createVllmArchitectureCheck } from "./vllm-architectures.ts";
import { readVllmParsers } from "./vllm-parsers.ts";
import { createVllmStarter } from "./vllm-process.ts";

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** vLLM, where an operator has installed it on a machine with a graphics card. */
export const VLLM = {
  name: "vllm",
  title: "vLLM",
  program: "vllm",
  files: "safetensors",
  memory: "gpu",
  // For CUDA's context, recorded graphs and the largest batch of activations.
  overheadBytes: 2_500 * BYTES_PER_MEGABYTE,
  abilities: { readsImages: "always", ranks: true },
  withoutGpu: { unavailable: "FEATHER_VLLM is off.", notice: null },
  detect: async ({ settings, path, gpus }) => toRuntimeState(detectVllm(settings.vllm, path, gpus)),
  createStarter: createVllmStarter,
  createArchitectureCheck: ({ state: { command }, dataDir, log }) =>
    createVllmArchitectureCheck({ command, dataDir, log }),
  readParsers: readVllmParsers,
  toPodArguments: ({ toolParser, reasoningParser }, { contextLength }) => ({
    max_model_len: contextLength,
    ...(toolParser !== undefined && { tool_call_parser: toolParser }),
    ...(reasoningParser !== undefined && { reasoning_parser: reasoningParser }),
  }),
} as const satisfies RuntimeDefinition;
