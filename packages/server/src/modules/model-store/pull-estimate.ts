import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Loading } from "../../gateway/index.ts";
import type { PullRow } from "./store.repository.ts";

/** What a download is expected to take, from how fast it was so far. */
export type PullEstimate = { toLoading(row: PullRow): Loading };

/** A download as it was when it was first looked at. */
type Sample = { bytes: number; at: number };

/** Bytes a second of a download of which nothing is known yet. */
const DEFAULT_BYTES_PER_S = 10_000_000;
/** Bytes a second that are compared with their checksum, and then read into memory. */
const READ_BYTES_PER_S = 400_000_000;
/** Below this time the bytes that came do not predict the rest. */
const MIN_SAMPLE_MS = 2 * SECOND_MS;

/** Creates the estimate of how long downloads take. */
export function createPullEstimate(clock: Clock): PullEstimate {
  const samples = new LRUCache<string, Sample>({ max: 100 });
  return {
    toLoading({ id, state, bytes_done: bytes, bytes_total: total }) {
      const at = clock.now().getTime();
      const first = samples.get(id);
      if (first === undefined || bytes < first.bytes) samples.set(id, { bytes, at });
      const bytesPerS = first && measureRate(first, { bytes, at });
      const seconds = (total - bytes) / (bytesPerS || DEFAULT_BYTES_PER_S) + (2 * total) / READ_BYTES_PER_S;
      const progress = total > 0 ? Math.min(bytes / total, 1) : 0;
      return { tier: "loading", stage: state, progress, readyAt: new Date(at + Math.ceil(seconds) * SECOND_MS) };
    },
  };
}

/** Returns the bytes a second between two looks at a download; null if they are too close to tell. */
function measureRate(first: Sample, now: Sample): number | null {
  const milliseconds = now.at - first.at;
  return milliseconds < MIN_SAMPLE_MS ? null : ((now.bytes - first.bytes) / milliseconds) * SECOND_MS;
}
