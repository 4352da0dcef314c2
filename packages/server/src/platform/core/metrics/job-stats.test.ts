import { expect, test } from "vitest";
import { JobStats } from "./job-stats.ts";

test("says how long the next successful run of a job is overdue, and counts failures", () => {
  let now = 0;
  const stats = new JobStats(() => now);
  stats.add({ name: "send mail", everySeconds: 10 });
  expect(stats.list()).toMatchObject([{ runs: 0, failures: 0, lastMs: null, lagMs: 0, isRunning: false }]);
  now = 10_000;
  const fail = stats.begin("send mail");
  expect(stats.list()).toMatchObject([{ isRunning: true, lagMs: 0 }]);
  now = 10_500;
  fail(true);
  now = 25_000;
  expect(stats.list()).toMatchObject([{ runs: 1, failures: 1, lastMs: 500, lagMs: 15_000, isRunning: false }]);
  stats.begin("send mail")(false);
  expect(stats.list()).toMatchObject([{ runs: 2, failures: 1, lagMs: 0 }]);
  expect(stats.snapshot()).toContainEqual({ metric: "jobRuns", labels: ["send mail", "failed"], values: [1] });
  expect(stats.snapshot()).toContainEqual({ metric: "jobSeconds", labels: ["send mail"], values: [0.5] });
});
