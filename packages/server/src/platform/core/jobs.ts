import type { Logger } from "pino";
import type { JobStats } from "./metrics/job-stats.ts";

/**
 * A recurring job. It reads from the database what is due, so that the next run catches up on a missed one, and concurrent
 * runs do no harm.
 */
export type Job = {
  name: string;
  everySeconds: number;
  /** Whether each replica runs it, because it works on the replica's memory. By default only the leader runs it. */
  onEveryReplica?: boolean;
  /** `stopping` aborts when the process stops, which waits for the run. Only long runs need it. */
  run(stopping?: AbortSignal): Promise<void>;
};

type Deps = {
  log: Pick<Logger, "error">;
  stats: Pick<JobStats, "add" | "begin">;
  isLeader(): boolean;
};

/**
 * Runs jobs at their intervals in this process. Jobs that are not for every replica run only while this process leads. A
 * failed run is logged and repeated at the next interval. Returns a function that stops the jobs and waits for them.
 */
export function startJobs(jobs: readonly Job[], { log, stats, isLeader }: Deps): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const counted = new Set<Job>();
  const stopping = new AbortController();
  const runsHere = (job: Job) => job.onEveryReplica === true || isLeader();
  const count = (job: Job) => {
    stats.add(job);
    counted.add(job);
  };
  const start = (job: Job) => {
    if (stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!runsHere(job)) return start(job);
      if (!counted.has(job)) count(job);
      const end = stats.begin(job.name);
      const run = job
        .run(stopping.signal)
        .then(
          () => end(false),
          (error: unknown) => {
            end(true);
            log.error({ err: error, job: job.name }, "a job failed");
          },
        )
        .then(() => {
          running.delete(run);
          start(job);
        });
      running.add(run);
    }, job.everySeconds * 1000);
    timers.add(timer);
  };
  const timers = new Set<NodeJS.Timeout>();
  for (const job of jobs) {
    if (runsHere(job)) count(job);
    start(job);
  }
  return async () => {
    stopping.abort();
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(running);
  };
}
