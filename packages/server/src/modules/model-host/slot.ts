import type { EngineProcess, RuntimeName } from "../../engine/index.ts";
import type { EngineSize } from "./engine-size.ts";
import type { Release } from "./memory-budget.ts";

/** A model that can be loaded on this machine. */
export type HostedModel = {
  id: string;
  /** The program that runs it; the engine by default. */
  runtime?: RuntimeName;
  /** Path of its file; for vLLM the folder of its files. */
  file: string;
  /** Whether its file is not on this machine, since it runs elsewhere; false by default. */
  isElsewhere?: boolean;
  /** Whether its file was converted here, so that the hub does not have it; false by default. */
  isConverted?: boolean;
  /** Names of the files in its folder; undefined for one file. */
  folderFiles?: readonly string[];
  /** Name of its file in the repository that it comes from. */
  fileName: string;
  size: number;
  contextLength: number;
  /** Memory of one token of context, in bytes. */
  bytesPerToken: number;
  /** Memory of each sequence, whatever its length, in bytes; 0 by default. */
  bytesPerSequence?: number;
  /** Memory of a large vocabulary, in bytes; 0 by default. */
  vocabularyBytes?: number;
  /** The repository of the hub that its file comes from, if it is from there. */
  repository?: string;
  /** The commit of its file, if it is known. */
  revision?: string;
  /** The form of its tool calls, by vLLM's name for it, if it is known. */
  toolParser?: string;
  /** The form in which it writes its thoughts, by vLLM's name for it, if it is known. */
  reasoningParser?: string;
  /** Loaded at start, and never evicted. */
  pinned?: boolean;
};

/** A model that is loaded, loading, unloading, or waits for memory. */
export type Slot = {
  model: HostedModel;
  state: "waiting" | "loading" | "warm" | "restarting" | "unloading" | "failed";
  size: EngineSize;
  engine: EngineProcess | null;
  release: Release | null;
  /** Share of the file that is read, 0 to 1. */
  progress: number;
  startedAt: number;
  restartsAt: number;
  /** Failures since it was last ready. */
  failures: number;
  reason: string | null;
  lastUsed: number;
  /** Resolves when the current unloading ends; `reloadAfterUnload` is set if the model was called meanwhile. */
  unloading: Promise<void> | null;
  reloadAfterUnload: boolean;
};

/** Returns a slot that waits for the memory of an engine of this size. `now` is in milliseconds since 1970. */
export function createSlot(model: HostedModel, size: EngineSize, now: number): Slot {
  return {
    model,
    state: "waiting",
    size,
    engine: null,
    release: null,
    progress: 0,
    startedAt: now,
    restartsAt: now,
    failures: 0,
    reason: null,
    lastUsed: now,
    unloading: null,
    reloadAfterUnload: false,
  };
}
