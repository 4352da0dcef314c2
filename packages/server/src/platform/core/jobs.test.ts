import { waitFor } from "@feather/testing/wait-for";
import { expect, test } from "vitest";
import { type Job, startJobs } from "./jobs.ts";
import { JobStats } from "./metrics/job-stats.ts";

test("a replica that does not lead runs only the jobs of every replica, and takes over the others when it leads", async () => {
  const runs: string[] = [];
  let leads = false;
  const toJob = (name: string, onEveryReplica?: boolean): Job => ({
    name,
    everySeconds: 0.001,
    ...(onEveryReplica && { onEveryReplica }),
    run: async () => void runs.push(name),
  });
  const stats = new JobStats();
  const jobs = [toJob("send mail"), toJob("renew reservations", true)];
  const stop = startJobs(jobs, { log: { error() {} }, stats, isLeader: () => leads });
  await waitFor(() => expect(runs.length).toBeGreaterThan(3));
  expect(new Set(runs)).toEqual(new Set(["renew reservations"]));
  expect(stats.list().map(({ name }) => name)).toEqual(["renew reservations"]);
  leads = true;
  await waitFor(() => expect(runs).toContain("send mail"));
  await stop();
  expect(stats.list()).toHaveLength(2);
});

test("a run that takes long learns that the jobs stop, and is waited for", async () => {
  let hasEnded = false;
  let isRunning = false;
  const run = async (stopping?: AbortSignal) => {
    isRunning = true;
    await new Promise((resolve) => stopping?.addEventListener("abort", resolve));
    hasEnded = true;
  };
  const jobs: Job[] = [{ name: "ask models", everySeconds: 0.001, run }];
  const stop = startJobs(jobs, { log: { error() {} }, stats: new JobStats(), isLeader: () => true });
  await waitFor(() => expect(isRunning).toBe(true));
  await stop();
  expect(hasEnded).toBe(true);
});
