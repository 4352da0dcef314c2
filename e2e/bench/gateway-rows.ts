import { BARE_PROXY, FEATHER } from "./contenders.ts";
import type { LoadResult } from "./load.ts";
import { median } from "./result-row.ts";

/** One round of load, with the processor time and memory of the gateway and its database during it. */
export type Sample = LoadResult & { cpuMs: number; databaseCpuMs: number; residentMb: number };
/** The load and the circumstances of samples. */
export type Circumstances = { load: string; workers: string; postgres: string };
/** What one gateway did under one load: medians of all rounds. */
export type GatewayRow = Circumstances & {
  through: string;
  "requests/s": number;
  "of bare proxy": number;
  "p50 ms": number;
  "p99 ms": number;
  "p99/p50": number;
  "CPU µs/request": number;
  "PostgreSQL µs/request": number;
  "memory MB": number;
  failed: number;
};

/** Returns a row for each gateway. Its share of the bare proxy is that of the same round. */
export function toGatewayRows(
  circumstances: Circumstances,
  samplesByName: ReadonlyMap<string, readonly Sample[]>,
): GatewayRow[] {
  const bare = samplesByName.get(BARE_PROXY) ?? [];
  return [...samplesByName].map(([name, samples]) => {
    const medianOf = (digits: number, read: (sample: Sample, index: number) => number) =>
      round(median(samples.map(read)), digits);
    const ours = name === FEATHER ? circumstances : { ...circumstances, workers: "", postgres: "" };
    return {
      ...ours,
      through: name,
      "requests/s": medianOf(0, ({ perSecond }) => perSecond),
      "of bare proxy": medianOf(2, ({ perSecond }, index) => perSecond / (bare[index]?.perSecond ?? Number.NaN)),
      "p50 ms": medianOf(2, ({ p50Ms }) => p50Ms),
      "p99 ms": medianOf(2, ({ p99Ms }) => p99Ms),
      "p99/p50": medianOf(1, ({ p99Ms, p50Ms }) => p99Ms / p50Ms),
      "CPU µs/request": medianOf(0, ({ cpuMs, answered }) => (cpuMs * 1000) / answered),
      "PostgreSQL µs/request": medianOf(0, ({ databaseCpuMs, answered }) => (databaseCpuMs * 1000) / answered),
      "memory MB": round(Math.max(...samples.map(({ residentMb }) => residentMb)), 0),
      failed: samples.reduce((sum, { errors }) => sum + errors, 0),
    };
  });
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
