import type { Program } from "../../gateway/index.ts";

/** What is the same for a program that runs models on every machine. */
type RuntimeFacts = {
  /** The name of the program in the gateway, which knows how each answers. */
  program: Program;
  /** Memory of a process in addition to weights and context, in bytes. */
  overheadBytes: number;
};

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The programs that run models. `llama.cpp` is the server's own engine, which is built on it. */
const RUNTIMES = {
  // It takes the memory from the machine.
  "llama.cpp": { program: "engine", overheadBytes: 200 * BYTES_PER_MEGABYTE },
  // It takes the memory from the graphics card, for CUDA's context, recorded graphs and the largest batch of activations.
  vllm: { program: "vllm", overheadBytes: 2_500 * BYTES_PER_MEGABYTE },
} as const satisfies Readonly<Record<string, RuntimeFacts>>;

/** The name of a program that runs models. */
export type RuntimeName = keyof typeof RUNTIMES;

/** The names of all programs that run models. */
export const RUNTIME_NAMES = Object.keys(RUNTIMES) as RuntimeName[];

/** A model, and the program that runs it; the engine by default. */
type RunModel = { runtime?: RuntimeName };

/** Returns the name of the program that runs a model. */
export const runtimeNameOf = ({ runtime = "llama.cpp" }: RunModel): RuntimeName => runtime;

/** Returns the name in the gateway of the program that runs a model. */
export const programOf = (model: RunModel) => RUNTIMES[runtimeNameOf(model)].program;

/** Returns the memory of the process that runs a model in addition to weights and context, in bytes. */
export const overheadBytesOf = (model: RunModel): number => RUNTIMES[runtimeNameOf(model)].overheadBytes;
