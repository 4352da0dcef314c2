import type { Logger } from "pino";

/**
 * Work that is done again and again. It reads what is due from the database, so that a run that was missed is caught up
 * by the next, and two runs at once do no harm.
 */
export type Job = { name: string; everySeconds: number; run(): Promise<void> };

/** Runs the jobs on their intervals in this process. A run that fails is logged and tried again at its next time. */
export function startJobs(jobs: readonly Job[], log: Pick<Logger, "error">): () => Promise<void> {
  const running = new Set<Promise<void>>();
  let stopped = false;
  const start = (job: Job) => {
    if (stopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      const run = job
        .run()
        .catch((error: unknown) => log.error({ err: error, job: job.name }, "a job failed"))
        .then(() => {
          running.delete(run);
          start(job);
        });
      running.add(run);
    }, job.everySeconds * 1000);
    timers.add(timer);
  };
  const timers = new Set<NodeJS.Timeout>();
  for (const job of jobs) start(job);
  return async () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(running);
  };
}
