import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Loading } from "../../gateway/index.ts";
import type { PullRow } from "./store.repository.ts";

type Progress = Pick<PullRow, "id" | "state" | "bytes_done" | "bytes_total" | "conversion_progress">;
/** How fast a download is. Null where nothing is known yet, or nothing comes. */
export type PullSpeed = { bytesPerSecond: number | null; secondsLeft: number | null };
/** What downloads are expected to take, from how fast they were so far. */
export type PullEstimate = {
  /** Notes how far a download is, and returns how fast it was of late. */
  measure(pull: Progress): PullSpeed;
  /** Returns a download as the progress of its model. */
  toLoading(pull: Progress): Loading;
};

/** How many bytes of a download were there at a time, in milliseconds since 1970. */
type Sample = { bytes: number; at: number };

/** Bytes a second of a download of which nothing is known yet. */
const DEFAULT_BYTES_PER_S = 10_000_000;
/** Bytes a second that are compared with their checksum, and then read into memory. */
const READ_BYTES_PER_S = 400_000_000;
/** Below this time the bytes that came do not predict the rest. */
const MIN_SAMPLE_MS = 2 * SECOND_MS;
/** The rate is that of so long, so that it follows a connection that gets slower or faster. */
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
    return { bytesPerSecond, secondsLeft: bytesPerSecond ? Math.ceil((total - bytes) / bytesPerSecond) : null };
  }

  return {
    measure,
    toLoading(pull) {
      const { state, bytes_done: bytes, bytes_total: total } = pull;
      const { secondsLeft } = measure(pull);
      const seconds = (secondsLeft ?? (total - bytes) / DEFAULT_BYTES_PER_S) + (2 * total) / READ_BYTES_PER_S;
      if (state === "converting")
        return { tier: "loading", stage: state, progress: pull.conversion_progress, readyAt: null };
      const progress = total > 0 ? Math.min(bytes / total, 1) : 0;
      const readyAt = new Date(clock.now().getTime() + Math.ceil(seconds) * SECOND_MS);
      return { tier: "loading", stage: state, progress, readyAt };
    },
  };
}

/** Returns the samples of the window with a new one, which starts a window of its own after bytes were lost. */
function addSample(samples: readonly Sample[], now: Sample): Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && now.bytes < last.bytes) return [now];
  const kept = samples.filter(({ at }, index) => now.at - at <= WINDOW_MS || index === samples.length - 1);
  return last !== undefined && now.at - last.at < SAMPLE_INTERVAL_MS ? kept : [...kept, now];
}

/** Returns the bytes a second between two looks at a download; null if they are too close to tell, or nothing came. */
function measureRate(first: Sample, now: Sample): number | null {
  const milliseconds = now.at - first.at;
  const rate = milliseconds < MIN_SAMPLE_MS ? 0 : ((now.bytes - first.bytes) / milliseconds) * SECOND_MS;
  return rate > 0 ? rate : null;
}
