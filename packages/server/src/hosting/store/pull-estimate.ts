import { LRUCache } from "lru-cache";
import type { Loading } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { PullRow } from "./rows/pull-rows.ts";

type Progress = Pick<PullRow, "id" | "state" | "bytes_done" | "bytes_total" | "conversion_progress">;
/** The speed of a download. Null if it is unknown yet, or no data arrives. */
export type PullSpeed = { bytesPerSecond: number | null; secondsLeft: number | null };
/** Estimates how long downloads take, from their speed so far. */
export type PullEstimate = {
  /** Records how many bytes a download has, and returns its recent speed. */
  measure(pull: Progress): PullSpeed;
  /** Returns the progress of the model that is being downloaded. */
  toLoading(pull: Progress): Loading;
};

/** The number of downloaded bytes at a time, in milliseconds since 1970. */
type Sample = { bytes: number; at: number };

/** The assumed speed of a download that has no measured one yet, in bytes per second. */
const DEFAULT_BYTES_PER_S = 10_000_000;
/** The assumed speed of reading a file, in bytes per second. It is read twice: for its checksum, and into memory. */
const READ_BYTES_PER_S = 400_000_000;
/** Over a shorter time, the speed is not measured. */
const MIN_SAMPLE_MS = 2 * SECOND_MS;
/** The speed is measured over this time, so that it follows a connection that gets slower or faster. */
const WINDOW_MS = 15 * SECOND_MS;
const SAMPLE_INTERVAL_MS = 500;
const MAX_PULLS = 100;

/** Creates the estimate of how long downloads take. */
export function createPullEstimate(clock: Clock): PullEstimate {
  const samplesOf = new LRUCache<string, Sample[]>({ max: MAX_PULLS });

  function measure({ id, state, bytes_done: bytes, bytes_total: total }: Progress): PullSpeed {
    const now = { bytes, at: clock.now().getTime() };
    const samples = state === "downloading" ? addSample(samplesOf.get(id) ?? [], now) : [];
    samplesOf.set(id, samples);
    const bytesPerSecond = measureRate(samples[0] ?? now, now);
    const secondsLeft = bytesPerSecond ? Math.ceil(countBytesLeft(bytes, total) / bytesPerSecond) : null;
    return { bytesPerSecond, secondsLeft };
  }

  return {
    measure,
    toLoading(pull) {
      const { state, bytes_done: bytes, bytes_total: total } = pull;
      const { secondsLeft } = measure(pull);
      const seconds =
        (secondsLeft ?? countBytesLeft(bytes, total) / DEFAULT_BYTES_PER_S) + (2 * total) / READ_BYTES_PER_S;
      if (state === "converting")
        return { tier: "loading", stage: state, progress: pull.conversion_progress, readyAt: null };
      const progress = total > 0 ? Math.min(bytes / total, 1) : 0;
      const readyAt = new Date(clock.now().getTime() + Math.ceil(seconds) * SECOND_MS);
      return { tier: "loading", stage: state, progress, readyAt };
    },
  };
}

/** Returns the bytes that are still to come; 0 if more have come than were announced. */
function countBytesLeft(bytes: number, total: number): number {
  return Math.max(0, total - bytes);
}

/**
 * Returns the samples of the last `WINDOW_MS` with a new one. If the new one has fewer bytes than the last, only the new
 * one.
 */
function addSample(samples: readonly Sample[], now: Sample): Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && now.bytes < last.bytes) return [now];
  const kept = samples.filter(({ at }, index) => now.at - at <= WINDOW_MS || index === samples.length - 1);
  return last !== undefined && now.at - last.at < SAMPLE_INTERVAL_MS ? kept : [...kept, now];
}

/** Returns the speed between two samples in bytes per second. Null if they are too close in time, or no data arrived. */
function measureRate(first: Sample, now: Sample): number | null {
  const milliseconds = now.at - first.at;
  const rate = milliseconds < MIN_SAMPLE_MS ? 0 : ((now.bytes - first.bytes) / milliseconds) * SECOND_MS;
  return rate > 0 ? rate : null;
}
