import type { RuntimeDefinition } from "../runtime.ts";
import { detectLlamaServer } from "./detect-llama-server.ts";
import { createLlamaServerArchitectureCheck } from "./llama-server-architectures.ts";
import { createLlamaServerStarter } from "./llama-server-process.ts";

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** llama.cpp's own server, where an operator has installed it, for what the engine cannot do. */
export const LLAMA_SERVER = {
  name: "llama-server",
  title: "llama-server",
  program: "llama-server",
  files: "gguf",
  memory: "machine",
  overheadBytes: 250 * BYTES_PER_MEGABYTE,
  abilities: { readsImages: "with_projector", ranks: true },
  withoutGpu: { unavailable: "FEATHER_LLAMA_SERVER is off.", notice: null },
  detect: detectLlamaServer,
  createStarter: createLlamaServerStarter,
  createArchitectureCheck: ({ state: { command }, ...options }) =>
    createLlamaServerArchitectureCheck({ command, ...options }),
  /** llama-server reads the formats of tool calls and thoughts from the model's template. */
  readParsers: async () => ({}),
  toPodArguments: (_model, { contextLength, sequences }) => ({ context: contextLength, sequences }),
} as const satisfies RuntimeDefinition;
