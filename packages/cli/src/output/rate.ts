import { formatBytes, formatRoughDuration } from "@feather/sdk/format";

/** How much was done at a time in milliseconds since 1970: bytes, or a fraction of the whole. */
export type Sample = { readonly at: number; readonly done: number };

/** Amounts of work that is done bit by bit; `unit` says whether the amounts are bytes, whose rate is shown. */
export type Amount = { readonly done: number; readonly total: number | null; readonly unit: "bytes" | "fraction" };

/** Longer ago than this says little about the rate now. Polls are at most five seconds apart. */
const WINDOW_MS = 30_000;
/** Two samples that are closer than this are no measurement. */
const MIN_SPAN_MS = 500;

/** Returns the samples of the last thirty seconds with a new one. Less than before, as when it starts again, drops the others. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && sample.done < last.done) return [sample];
  const recent = samples.filter(({ at }) => sample.at - at <= WINDOW_MS);
  return [...recent, sample];
}

/** Returns the amount per second over all samples; null while the samples cover too short a time. */
export function measureRate(samples: readonly Sample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < MIN_SPAN_MS) return null;
  return ((last.done - first.done) / (last.at - first.at)) * 1000;
}

/** Returns the milliseconds that the rest takes at this rate; null when that is unknown, or when nothing moves. */
export function estimateRemaining(samples: readonly Sample[], total: number | null, now: Date): number | null {
  const rate = measureRate(samples);
  const last = samples.at(-1);
  if (rate === null || rate <= 0 || total === null || last === undefined || total <= last.done) return null;
  return Math.max(0, ((total - last.done) / rate) * 1000 - (now.getTime() - last.at));
}

/** Returns the rate and the time left: `84 MB/s, about 40 s left`; empty while nothing is known. */
export function formatRate(samples: readonly Sample[], { total, unit }: Amount, now: Date): string {
  const rate = measureRate(samples);
  const remainingMs = estimateRemaining(samples, total, now);
  const parts = [
    rate === null || unit === "fraction" ? "" : `${formatBytes(rate)}/s`,
    remainingMs === null ? "" : `about ${formatRoughDuration(Math.max(1000, remainingMs))} left`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
