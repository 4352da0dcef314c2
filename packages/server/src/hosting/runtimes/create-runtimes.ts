import { totalmem } from "node:os";
import type { Logger } from "pino";
import type { RuntimeStates } from "./detect-runtimes.ts";
import { createMemoryBudget, type MemoryBudget } from "./memory/memory-budget.ts";
import type { EngineSandbox } from "./processes/sandbox.ts";
import type { EngineGpu } from "./runtime.ts";
import { RUNTIMES, type RuntimeName } from "./runtime-list.ts";
import { mapRuntimes, type Runtime, type Runtimes } from "./runtimes.ts";

const DEFAULT_MEMORY_SHARE = 0.6;
/** Share of the GPU memory that models get. The rest is for other programs that use the card. */
const DEFAULT_GPU_SHARE = 0.9;
const BYTES_PER_MEGABYTE = 1024 * 1024;

type MemorySettings = { memoryMegabytes: number | undefined; gpuMegabytes: number | undefined };
type Deps = {
  states: RuntimeStates;
  settings: MemorySettings;
  sandbox: EngineSandbox;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  log: Logger;
  /** Replaces how processes of a runtime are started or what it says about architectures, in tests. */
  processes?: RuntimeProcesses;
};

/** How processes of some runtimes are started, and what these know. */
export type RuntimeProcesses = Partial<Record<RuntimeName, Partial<Pick<Runtime, "start" | "canRun">>>>;

/** The runtimes of this machine, and the memories that their models share. */
export type MachineRuntimes = {
  runtimes: Runtimes;
  /** The memory of the machine, with that of a graphics card which no runtime takes for itself. */
  memory: MemoryBudget;
  /** The memory of the graphics card that runtimes take for themselves; null if none does. */
  gpuMemory: MemoryBudget | null;
};

type UsedCards = Extract<EngineGpu, { state: "on" }>;
/** The memory that models of some runtimes share, and how sentences name it. */
type NamedMemory = Pick<Runtime, "memory" | "memoryName" | "memorySetting">;

/** Creates the programs that run models on this machine, each with the memory that its models share. */
export function createRuntimes({ states, settings, processes = {}, ...options }: Deps): MachineRuntimes {
  const gpuMemory = createGpuMemory(states, settings);
  const machineMemory = createMachineMemory(states, settings, gpuMemory !== null);
  return {
    memory: machineMemory.memory,
    gpuMemory: gpuMemory?.memory ?? null,
    runtimes: mapRuntimes((definition) => {
      const state = states[definition.name];
      if ("unavailable" in state) return { unavailable: state.unavailable };
      const { start, canRun } = processes[definition.name] ?? {};
      return {
        ...(definition.memory === "gpu" && gpuMemory !== null ? gpuMemory : machineMemory),
        gpu: state.gpu,
        start: start ?? definition.createStarter({ ...options, state }),
        canRun: canRun ?? definition.createArchitectureCheck({ ...options, state }),
      };
    }),
  };
}

/** Returns the memory of runtimes that take it from a graphics card alone; null if none is available. */
function createGpuMemory(states: RuntimeStates, settings: MemorySettings): NamedMemory | null {
  const cards = listCards(states, "gpu");
  if (cards.length === 0) return null;
  const memory = createMemoryBudget(toGpuBudget(cards, settings));
  return { memory, memoryName: "GPU memory", memorySetting: "FEATHER_GPU_MEMORY" };
}

/**
 * Returns the memory of the other runtimes. They split a model between graphics card and machine, so it is the sum of both,
 * unless they share one memory (Metal) or another runtime takes the card for itself.
 */
function createMachineMemory(states: RuntimeStates, settings: MemorySettings, isCardTaken: boolean): NamedMemory {
  const { memoryMegabytes } = settings;
  const machineBytes = memoryMegabytes === undefined ? defaultMemoryBytes() : memoryMegabytes * BYTES_PER_MEGABYTE;
  const cards = isCardTaken ? [] : listCards(states, "machine").filter(({ type }) => type !== "metal");
  const gpuBytes = cards.length > 0 ? toGpuBudget(cards, settings) : 0;
  return {
    memory: createMemoryBudget(machineBytes + gpuBytes),
    memoryName: cards.length > 0 ? "memory and GPU memory" : "memory",
    memorySetting: "FEATHER_MODEL_MEMORY",
  };
}

/**
 * Returns the graphics cards of the first available runtime that takes this kind of memory: it runs most models, and others
 * may be built without support for a card.
 */
function listCards(states: RuntimeStates, memory: "machine" | "gpu"): UsedCards[] {
  for (const runtime of RUNTIMES.filter((candidate) => candidate.memory === memory)) {
    const state = states[runtime.name];
    if (!("unavailable" in state)) return state.gpu.state === "off" ? [] : [state.gpu];
  }
  return [];
}

/** Returns the bytes of graphics cards that models may take. */
function toGpuBudget(cards: readonly UsedCards[], { gpuMegabytes }: MemorySettings): number {
  const bytes = Math.max(...cards.map(({ totalBytes }) => totalBytes));
  const allowed = gpuMegabytes === undefined ? bytes * DEFAULT_GPU_SHARE : gpuMegabytes * BYTES_PER_MEGABYTE;
  return Math.floor(Math.min(allowed, bytes));
}

/** Returns a share of the memory of this machine, or of the container, in bytes. */
function defaultMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return Math.floor(Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) * DEFAULT_MEMORY_SHARE);
}
