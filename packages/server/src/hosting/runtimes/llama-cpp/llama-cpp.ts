import { ENGINE_BINARY } from "../engine-files.ts";
import type { RuntimeDefinition } from "../runtime.ts";
import { createArchitectureCheck } from "./architecture-check.ts";
import { createEngineStarter } from "./engine-process.ts";
import { createGpuQuestion, describeGpu, detectGpu, gpuTypeOf } from "./gpu.ts";

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The server's own engine, which is built on llama.cpp and part of each installation. */
export const LLAMA_CPP = {
  name: "llama.cpp",
  title: "llama.cpp",
  program: "engine",
  files: "gguf",
  memory: "machine",
  overheadBytes: 200 * BYTES_PER_MEGABYTE,
  abilities: { readsImages: "never", ranks: false },
  withoutGpu: { command: ENGINE_BINARY, gpu: { state: "off", reason: "FEATHER_GPU is off." }, notice: null },
  async detect({ settings, sandbox, gpuUser }) {
    const gpu = await detectGpu(settings.gpu, { gpuUser, ask: createGpuQuestion(sandbox) });
    return { command: ENGINE_BINARY, gpu, notice: describeGpu(settings.gpu, gpu) };
  },
  createStarter: ({ state, sandbox, log }) => createEngineStarter(log, sandbox, gpuTypeOf(state.gpu)),
  createArchitectureCheck: ({ sandbox, log }) => createArchitectureCheck(log, sandbox),
  /** The engine has a parser for each model, which it chooses itself. */
  readParsers: async () => ({}),
  toPodArguments: (_model, { contextLength, sequences }) => ({ context: contextLength, sequences }),
} as const satisfies RuntimeDefinition;
