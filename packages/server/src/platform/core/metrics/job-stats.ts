import { type Series, toSeries } from "./series.ts";

/** The state of a job's runs. Times are in milliseconds. */
export type JobState = {
  name: string;
  everySeconds: number;
  isRunning: boolean;
  runs: number;
  failures: number;
  totalMs: number;
  lastMs: number | null;
  /** How long the next successful run is overdue, in milliseconds. */
  lagMs: number;
};
type JobCounts = Omit<JobState, "lagMs"> & { lastSuccessAt: number };

/** Counts the runs of background jobs. `now` returns milliseconds of a monotonic clock. */
export class JobStats {
  readonly #jobs = new Map<string, JobCounts>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Adds a job, which is due after its interval. */
  add({ name, everySeconds }: { name: string; everySeconds: number }): void {
    this.#jobs.set(name, {
      name,
      everySeconds,
      isRunning: false,
      runs: 0,
      failures: 0,
      totalMs: 0,
      lastMs: null,
      lastSuccessAt: this.#now(),
    });
  }

  /** Counts the start of a run. Call the returned function with its result. */
  begin(name: string): (failed: boolean) => void {
    const counts = this.#jobs.get(name);
    const startedAt = this.#now();
    if (counts !== undefined) counts.isRunning = true;
    return (failed) => {
      if (counts === undefined) return;
      counts.isRunning = false;
      counts.runs++;
      counts.lastMs = this.#now() - startedAt;
      counts.totalMs += counts.lastMs;
      if (failed) counts.failures++;
      else counts.lastSuccessAt = this.#now();
    };
  }

  list(): JobState[] {
    return [...this.#jobs.values()].map(({ lastSuccessAt, ...counts }) => ({
      ...counts,
      lagMs: Math.max(0, this.#now() - lastSuccessAt - counts.everySeconds * 1000),
    }));
  }

  snapshot(): Series[] {
    return this.list().flatMap(({ name, runs, failures, totalMs, lagMs }) => [
      toSeries("jobRuns", runs - failures, name, "ok"),
      toSeries("jobRuns", failures, name, "failed"),
      toSeries("jobSeconds", totalMs / 1000, name),
      toSeries("jobLag", lagMs / 1000, name),
    ]);
  }
}
