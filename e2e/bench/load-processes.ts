/** Load from several processes, for servers that answer more than one process can send. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { LoadOptions, LoadResult, Target } from "./load.ts";
import { quantile } from "./result-row.ts";

/** The work of one process. */
export type LoadJob = { target: Target; body: string; options: LoadOptions };
/** What each process measured; `times` are the latencies of all answers, in milliseconds. */
export type LoadReport = { result: LoadResult; times: readonly number[] };

/** Sends the same load as `load`, with the connections divided among this many processes. */
export async function loadFromProcesses(job: LoadJob, processes: number): Promise<LoadResult> {
  const { connections, seconds } = job.options;
  const share = { ...job, options: { seconds, connections: Math.ceil(connections / processes) } };
  const reports = await Promise.all(Array.from({ length: processes }, () => runShare(share)));
  const times = reports.flatMap((report) => report.times);
  const sum = (read: (result: LoadResult) => number) => reports.reduce((total, { result }) => total + read(result), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    answered: sum(({ answered }) => answered),
    errors: sum(({ errors }) => errors),
  };
}

async function runShare(job: LoadJob): Promise<LoadReport> {
  const child = fork(new URL("load-program.ts", import.meta.url), { serialization: "advanced" });
  const exited = once(child, "exit").then(() => {
    throw new Error("A process that sends load ended before it reported.");
  });
  child.send(job);
  const [report] = (await Promise.race([once(child, "message"), exited])) as [LoadReport];
  child.disconnect();
  return report;
}
