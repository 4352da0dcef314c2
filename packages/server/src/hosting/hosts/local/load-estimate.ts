import type { Clock } from "../../../platform/core/clock.ts";
import { type Availability, COLD_AVAILABILITY } from "../host.ts";
import type { Slot } from "./slot.ts";

const DEFAULT_BYTES_PER_MS = 400_000;
const PROCESS_START_MS = 1_500;
/** Weight of the last load in the moving average. */
const SMOOTHING_FACTOR = 0.5;
/** Below this progress, the elapsed time does not predict the remaining time. */
const MIN_TELLING_PROGRESS = 0.1;

/** Estimates how long models take to load, from previous loads on this machine. */
export function createLoadEstimate(clock: Clock) {
  let bytesPerMs = DEFAULT_BYTES_PER_MS;
  const now = () => clock.now().getTime();

  /** Returns when a load will be ready. That is at least half a second from now. */
  function readyAt(bytes: number, startedAt: number, progress: number): Date {
    const totalMs =
      progress > MIN_TELLING_PROGRESS ? (now() - startedAt) / progress : PROCESS_START_MS + bytes / bytesPerMs;
    return new Date(Math.max(startedAt + totalMs, now() + 500));
  }

  return {
    recordLoad(bytes: number, tookMs: number): void {
      if (tookMs > PROCESS_START_MS)
        bytesPerMs += SMOOTHING_FACTOR * (bytes / (tookMs - PROCESS_START_MS) - bytesPerMs);
    },

    availability({ state, model, startedAt, restartsAt, progress }: Slot): Availability {
      if (state === "waiting") return { ...COLD_AVAILABILITY, stage: "memory" };
      if (state === "unloading") return { ...COLD_AVAILABILITY, stage: "unloading" };
      if (state === "restarting") {
        const startsAt = Math.max(restartsAt, now());
        return { tier: "loading", stage: "restarting", progress: 0, readyAt: readyAt(model.size, startsAt, 0) };
      }
      const stage = progress === 0 ? "start" : progress < 1 ? "weights" : "context";
      return { tier: "loading", stage, progress, readyAt: readyAt(model.size, startedAt, progress) };
    },
  };
}

/** Estimates how long models take to load. */
export type LoadEstimate = ReturnType<typeof createLoadEstimate>;
