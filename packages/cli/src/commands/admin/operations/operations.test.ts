import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const operations = {
  taken_at: "2026-11-21T12:00:00.000Z",
  started_at: "2026-11-21T10:00:00.000Z",
  version: "0.1.0",
  replicas: [
    { id: "rep_a", address: null, is_self: true, is_leader: false },
    { id: "rep_b", address: "http://10.0.0.5:4001", is_self: false, is_leader: true },
  ],
  units_limit: 64,
  event_streams: 3,
  points: [
    {
      at: 1_795_096_862_000,
      requests_per_second: 12.4,
      refused_per_second: 0.2,
      failed_per_second: 0,
      calls_per_second: 3.1,
      tokens_per_second: 620,
      first_token_p50_ms: 180,
      first_token_p95_ms: 900,
      units: 9,
      running_calls: 11,
      waiting_calls: 2,
      usage_rows_waiting: 2,
      loop_delay_ms: 2.1,
      loop_utilization: 0.12,
      memory_bytes: 262_144_000,
      database_in_use: 1,
      database_waiting: 0,
      query_p95_ms: 4.5,
    },
  ],
  errors: [{ name: "rate_limit_exceeded", count: 3 }],
  backends: [
    { name: "gpu-1", is_up: true, running_calls: 4 },
    { name: "gpu-2", is_up: false, running_calls: 0 },
  ],
  runtimes: [{ name: "llama.cpp", models: [{ name: "warm", count: 2 }], memory_bytes: 8e9, reserved_bytes: 2e9 }],
  pulls: [{ name: "downloading", count: 0 }],
  database: {
    connections_in_use: 1,
    connections_idle: 4,
    queries_waiting: 0,
    queries: 120_000,
    failed_queries: 2,
    slow_queries: 1,
  },
  jobs: [
    {
      name: "send mail",
      interval_seconds: 2,
      is_running: false,
      runs: 9,
      failures: 9,
      last_duration_ms: 3,
      lag_seconds: 600,
    },
    {
      name: "unload idle models",
      interval_seconds: 5,
      is_running: false,
      runs: 9,
      failures: 0,
      last_duration_ms: 3,
      lag_seconds: 0,
    },
  ],
};
let points: readonly object[] = operations.points;
const { run, runInteractive } = setupCli({ "GET /admin/operations": () => ({ body: { ...operations, points } }) });

test("admin operations shows the load, and what does not work", async () => {
  points = operations.points;
  const { out, code } = await runInteractive("admin operations");
  expect(code).toBe(0);
  expect(out).toContain("rep_a (answers), rep_b (leads)");
  expect(out).toContain("12.4 per second, 0 failed, 0.2 refused");
  expect(out).toContain("180 ms, 95 % within 900 ms");
  expect(out).toContain("9 in use; plans have 64");
  expect(out).toContain("1 of 2 used; not: gpu-2");
  expect(out).toContain("late: send mail (600 s)");
  expect(out).toContain("3 rate_limit_exceeded");
});

test("admin operations prints the figures of the API for programs", async () => {
  points = operations.points;
  expect(JSON.parse((await run("admin operations --json jobs")).out)).toEqual({ jobs: operations.jobs });
});

test("admin operations says in the first ten seconds that there are no measurements yet", async () => {
  points = [];
  expect((await runInteractive("admin operations")).out).toContain("not measured yet");
});
