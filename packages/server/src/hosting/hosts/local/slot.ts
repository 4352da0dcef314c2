import type { EngineProcess, EngineSize, HostedModel, Release } from "../../runtimes/index.ts";
import type { LoadedState } from "../host.ts";

/** A model that is loaded, loading, unloading, or waits for memory. */
export type Slot = {
  model: HostedModel;
  state: LoadedState;
  size: EngineSize;
  engine: EngineProcess | null;
  release: Release | null;
  /** The share of the file that has been read, 0 to 1. */
  progress: number;
  startedAt: number;
  restartsAt: number;
  /** The number of failed starts since it was last ready. */
  failures: number;
  reason: string | null;
  lastUsed: number;
  /** Resolves when its engine has ended, which is not started again; null while it is not being stopped. */
  stopping: Promise<void> | null;
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
    stopping: null,
    unloading: null,
    reloadAfterUnload: false,
  };
}
