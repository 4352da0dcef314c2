import type { EngineProcess } from "../../engine/engine-process.ts";
import { engineBytes, type Release } from "./memory.ts";

/** A model whose file is on this machine. */
export type HostedModel = {
  id: string;
  file: string;
  size: number;
  contextLength: number;
  bytesPerToken: number;
  /** The commit that its file is from, where that is known. */
  revision?: string;
  /** Loaded from the start, and never unloaded for another. */
  pinned?: boolean;
};

/** A model that is loaded, or on its way in or out. */
export type Slot = {
  model: HostedModel;
  state: "waiting" | "loading" | "warm" | "restarting" | "unloading" | "failed";
  bytes: number;
  engine: EngineProcess | null;
  release: Release | null;
  /** How much of the file is read, from 0 to 1. */
  progress: number;
  startedAt: number;
  restartsAt: number;
  /** Failures since it was last ready. */
  failures: number;
  reason: string | null;
  lastUsed: number;
  /** The unloading that is under way, and whether the model was called meanwhile. */
  leaving: Promise<void> | null;
  wantedAgain: boolean;
};

export function newSlot(model: HostedModel, now: number): Slot {
  return {
    model,
    state: "waiting",
    bytes: engineBytes(model),
    engine: null,
    release: null,
    progress: 0,
    startedAt: now,
    restartsAt: now,
    failures: 0,
    reason: null,
    lastUsed: now,
    leaving: null,
    wantedAgain: false,
  };
}
