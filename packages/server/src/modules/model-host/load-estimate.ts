import type { Clock } from "../../shared/clock.ts";
import type { Slot } from "./slot.ts";

/** How far a model is that does not answer yet. */
export type Availability = {
  tier: "cold" | "loading";
  stage: string | null;
  progress: number | null;
  readyAt: Date | null;
};

const USUAL_BYTES_PER_MS = 400_000;
const START = 1_500;
/** How much the last load counts against those before. */
const WEIGHT = 0.5;
/** Less of a file than this says nothing about the rest. */
const TELLING = 0.1;

export const COLD: Availability = { tier: "cold", stage: null, progress: null, readyAt: null };

/** Foresees how long models take to load, from those that were loaded here before. */
export function createLoadEstimate(clock: Clock) {
  let bytesPerMs = USUAL_BYTES_PER_MS;
  const now = () => clock.now().getTime();

  /** Never in the past. */
  function readyAt(bytes: number, startedAt: number, progress: number): Date {
    const whole = progress > TELLING ? (now() - startedAt) / progress : START + bytes / bytesPerMs;
    return new Date(Math.max(startedAt + whole, now() + 500));
  }

  return {
    learn(bytes: number, tookMs: number): void {
      if (tookMs > START) bytesPerMs += WEIGHT * (bytes / (tookMs - START) - bytesPerMs);
    },

    availability({ state, model, startedAt, restartsAt, progress }: Slot): Availability {
      if (state === "waiting") return { ...COLD, stage: "memory" };
      if (state === "unloading") return { ...COLD, stage: "unloading" };
      if (state === "restarting") {
        const startsAt = Math.max(restartsAt, now());
        return { tier: "loading", stage: "restarting", progress: 0, readyAt: readyAt(model.size, startsAt, 0) };
      }
      const stage = progress === 0 ? "start" : progress < 1 ? "weights" : "context";
      return { tier: "loading", stage, progress, readyAt: readyAt(model.size, startedAt, progress) };
    },
  };
}
