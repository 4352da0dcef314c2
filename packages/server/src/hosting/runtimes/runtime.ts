import type { Logger } from "pino";
import type { Program } from "../../gateway/index.ts";
import type { EngineSettings } from "./engine.settings.ts";
import type { Gpu } from "./graphics-cards.ts";
import type { GpuType } from "./processes/gpu-files.ts";
import type { StartEngine } from "./processes/model-process.ts";
import type { EngineSandbox } from "./processes/sandbox.ts";

/** A program that runs each model in a separate process. Each is a value in a folder of its own, and `RUNTIMES` lists all. */
export type RuntimeDefinition = {
  /** Its name in the contract, in messages between replicas and in metrics. */
  name: string;
  /** Its name in sentences for people. */
  title: string;
  /** Its name in the gateway, which knows how each program answers. */
  program: Program;
  /** The files of a repository that it reads. */
  files: ModelFiles;
  /** The memory that its models take: of the machine, with that of a free graphics card; or of a graphics card alone. */
  memory: "machine" | "gpu";
  /** Memory of a process in addition to weights and context, in bytes. */
  overheadBytes: number;
  abilities: RuntimeAbilities;
  /** Its state where settings switch off graphics cards and what an operator installs: the default of servers in tests. */
  withoutGpu: RuntimeState;
  /** Finds out at the start of the server whether and how it runs here. Throws a SettingsError for an invalid setting. */
  detect(options: DetectOptions): Promise<RuntimeState>;
  /** Returns the function that starts its processes. */
  createStarter(options: ProcessOptions): StartEngine;
  /** Returns the function that says whether it knows an architecture. */
  createArchitectureCheck(options: ProcessOptions): IsKnownArchitecture;
  /** Returns its parsers for a model, from the id of the repository and the folder with the files. */
  readParsers(repository: string, folder: string): Promise<ModelParsers>;
  /** Returns its arguments in a pod of a cluster, in the form of a deployment's `engine_args`. */
  toPodArguments(model: ModelParsers, size: PodSize): Readonly<Record<string, string | number>>;
};

/** The files in which a repository has a model: one GGUF file, or all safetensors files with their configuration. */
export type ModelFiles = "gguf" | "safetensors";

/** What a runtime can do, as far as something depends on it. */
export type RuntimeAbilities = {
  /** Which of its models read images: none, those with a projector file, or all that were trained for it. */
  readsImages: "never" | "with_projector" | "always";
  /** Whether it orders texts with models that were made for it. */
  ranks: boolean;
};

/** Returns whether a runtime knows an architecture, such as `qwen3`; true also if that cannot be determined. */
export type IsKnownArchitecture = (architecture: string) => Promise<boolean>;

/** The graphics cards that a runtime uses, and their memory in bytes; or why it uses none. */
export type EngineGpu =
  | { state: "on"; type: GpuType; devices: readonly string[]; totalBytes: number }
  | { state: "off"; reason: string };

/**
 * Whether and how a runtime runs on this machine, as JSON, in which worker processes receive it. `notice` is the line about
 * it that operators see at each start; null without one.
 */
export type RuntimeState = AvailableState | { unavailable: string; notice: string | null };
/** The state of a runtime that is available. */
export type AvailableState = { command: string; gpu: EngineGpu; notice: string | null };

/** A runtime's names for the formats of a model's output; absent if they are unknown or it needs none. */
export type ModelParsers = { toolParser?: string; reasoningParser?: string };

/** The tokens of context of each sequence in a pod, and the number of its sequences. */
export type PodSize = { contextLength: number; sequences: number };

/** What a runtime is detected with. */
export type DetectOptions = {
  settings: EngineSettings;
  sandbox: EngineSandbox;
  /** The folders in which commands are looked for, as in the environment variable `PATH`. */
  path: string | undefined;
  /** The graphics cards of the machine that `nvidia-smi` lists. */
  gpus: readonly Gpu[];
  /** The title of the runtime that takes its memory from the graphics card alone; null if none does. */
  gpuUser: string | null;
};

/** What the processes of a runtime are started with. */
export type ProcessOptions = {
  state: AvailableState;
  sandbox: EngineSandbox;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  log: Logger;
};
