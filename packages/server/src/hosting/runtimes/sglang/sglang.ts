import type { RuntimeDefinition } from "../runtime.ts";
import { detectSglang } from "./detect-sglang.ts";
import { createSglangArchitectureCheck } from "./sglang-architectures.ts";
import { readSglangParsers } from "./sglang-parsers.ts";
import { createSglangStarter } from "./sglang-process.ts";

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** SGLang, where an operator has installed it on a machine with a graphics card, and vLLM does not use the card. */
export const SGLANG = {
  name: "sglang",
  title: "SGLang",
  program: "sglang",
  files: "safetensors",
  memory: "gpu",
  // For CUDA's context, recorded graphs and the largest batch of activations.
  overheadBytes: 3_500 * BYTES_PER_MEGABYTE,
  abilities: { readsImages: "always", ranks: true },
  withoutGpu: { unavailable: "FEATHER_SGLANG is off.", notice: null },
  detect: async (options) => detectSglang(options),
  createStarter: createSglangStarter,
  createArchitectureCheck: ({ state: { command }, dataDir, log }) =>
    createSglangArchitectureCheck({ command, dataDir, log }),
  readParsers: readSglangParsers,
  toPodArguments: (_model, { contextLength }) => ({ context_length: contextLength }),
} as const satisfies RuntimeDefinition;
