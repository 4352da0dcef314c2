import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createFeather } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { startCallers, stream } from "./callers.ts";
import {
  assertGraceful,
  assertInTime,
  assertOnly,
  assertReceipts,
  CALLERS,
  count,
  describe,
  measureAllUnitsFree,
  pick,
  runUnderLoad,
  type Scenario,
  SERVED,
  SERVED_OR_TOLD,
  SOME,
  seconds,
} from "./checks.ts";
import { type ReplicaEnvironment, UNITS } from "./environment.ts";
import { killLeader } from "./kill-leader.ts";
import { STORAGE_SCENARIOS } from "./storage-scenarios.ts";

const PAUSE_MS = 15_000;
/** What callers see whose replica has died: nginx's answer, or a broken connection. */
const BROKEN = [0, 502, 504];

/** The scenarios in the order in which they are run, on one environment. */
export const SCENARIOS: readonly Scenario[] = [
  { fault: "none", promise: `never more than ${UNITS} units over all replicas`, run: runUndisturbed },
  { fault: "a replica is killed", promise: "others serve; its units are back within 20 s", run: runKilledReplica },
  {
    fault: "a replica stands still for 15 s",
    promise: "others serve; its units are back within 20 s",
    run: runPausedReplica,
  },
  { fault: "the leader is killed", promise: "another one leads within 20 s", run: runKilledLeader },
  { fault: "channels between replicas are cut", promise: "every call is served or told to wait", run: runCutChannels },
  {
    fault: "PostgreSQL stands still for 15 s",
    promise: "streams go on; afterwards all units are there",
    run: runPausedDatabase,
  },
  {
    fault: "PostgreSQL is killed",
    promise: "streams go on; no answered call loses its receipt",
    run: runKilledDatabase,
  },
  {
    fault: "a clock is 5 minutes ahead",
    promise: "sessions, keys and limits hold at every replica",
    run: runOtherClock,
  },
  {
    fault: "rolling restart",
    promise: "every stream ends as it should; at most one call a restart meets a listener that closes",
    run: runRollingRestart,
  },
  ...STORAGE_SCENARIOS,
];

async function runUndisturbed(environment: ReplicaEnvironment): Promise<string> {
  const seen = await runUnderLoad(environment, async () => {});
  assertOnly(seen, SERVED);
  const { used_cost: used } = await environment.adminAt(environment.url).concurrency.get();
  assert.equal(used, 0);
  await measureAllUnitsFree(environment);
  return `${describe(seen)}; at most ${environment.backend.peak()} at once`;
}

async function runKilledReplica(environment: ReplicaEnvironment): Promise<string> {
  const replica = pick(environment, 1);
  const seen = await runUnderLoad(environment, () => replica.kill());
  const backMs = await measureAllUnitsFree(environment);
  await replica.start();
  assertOnly(seen, [...SERVED_OR_TOLD, ...BROKEN]);
  assert.ok(count(seen, BROKEN) <= (environment.hasNginx ? CALLERS : seen.answered.length));
  return `${describe(seen)}; all units after ${seconds(backMs)}`;
}

async function runPausedReplica(environment: ReplicaEnvironment): Promise<string> {
  const replica = pick(environment, 2);
  const callers = startCallers(environment, CALLERS);
  await callers.answered(SOME);
  replica.pause();
  const backMs = await measureTakeover(environment, callers);
  replica.resume();
  await callers.answered(SOME);
  const seen = await callers.stop();
  await measureAllUnitsFree(environment);
  return `${describe(seen)}; its units after ${seconds(backMs)}`;
}

/** Waits until the replica that stands still is no longer one; returns how long that took. */
async function measureTakeover(environment: ReplicaEnvironment, callers: { answered(count: number): Promise<void> }) {
  const startedAt = performance.now();
  await waitFor(async () => {
    const rows = await environment.query("select id from replicas");
    assert.equal(rows.length, environment.replicas.length - 1);
  });
  const tookMs = performance.now() - startedAt;
  assertInTime(tookMs);
  await callers.answered(SOME);
  return tookMs;
}

async function runKilledLeader(environment: ReplicaEnvironment): Promise<string> {
  const { killed, tookMs } = await killLeader(environment);
  assertInTime(tookMs);
  await killed.start();
  await measureAllUnitsFree(environment);
  return `another one leads after ${seconds(tookMs)}`;
}

async function runCutChannels(environment: ReplicaEnvironment): Promise<string> {
  const cuts = 5;
  const seen = await runUnderLoad(environment, async (callers) => {
    for (let cut = 0; cut < cuts; cut++) {
      await environment.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'feather-server%'",
      );
      await callers.answered(SOME);
    }
  });
  assertOnly(seen, SERVED_OR_TOLD);
  await measureAllUnitsFree(environment);
  return `${cuts} cuts: ${describe(seen)}`;
}

async function runPausedDatabase(environment: ReplicaEnvironment): Promise<string> {
  const streams = stream(environment, 3, 20 * 20); // longer than the pause
  const seen = await runUnderLoad(environment, async (callers) => {
    const processes = environment.listDatabaseProcesses();
    for (const id of processes) process.kill(id, "SIGSTOP");
    await sleep(PAUSE_MS);
    for (const id of processes) process.kill(id, "SIGCONT");
    await callers.answered(SOME);
  });
  const complete = await streams;
  assert.equal(complete, 3);
  assertOnly(seen, SERVED_OR_TOLD);
  const backMs = await measureAllUnitsFree(environment);
  return `${describe(seen)}; 3 of 3 streams; all units after ${seconds(backMs)}`;
}

async function runKilledDatabase(environment: ReplicaEnvironment): Promise<string> {
  const streams = stream(environment, 3, 20 * 10);
  const seen = await runUnderLoad(environment, async (callers) => {
    const [postmaster = 0] = environment.listDatabaseProcesses();
    process.kill(postmaster, "SIGKILL");
    await callers.answered(SOME);
  });
  assert.equal(await streams, 3);
  assertOnly(seen, SERVED_OR_TOLD);
  await assertReceipts(environment, seen);
  const backMs = await measureAllUnitsFree(environment);
  return `${describe(seen)}; 3 of 3 streams; all units after ${seconds(backMs)}`;
}

async function runOtherClock(environment: ReplicaEnvironment): Promise<string> {
  const replica = pick(environment, 1);
  await replica.stop();
  await replica.start({ NODE_OPTIONS: `--import=${new URL("clock-ahead.ts", import.meta.url).href}` });
  const seen = await runUnderLoad(environment, async () => {});
  assertOnly(seen, SERVED);
  for (const { port } of environment.replicas) {
    const baseUrl = `http://127.0.0.1:${port}`;
    const { secret } = await environment.adminAt(baseUrl).apiKeys.create({
      name: "for three minutes",
      scopes: ["user.read"],
      expires_at: new Date(Date.now() + 180_000),
    });
    for (const other of environment.replicas)
      await createFeather({ baseUrl: `http://127.0.0.1:${other.port}`, token: secret, maxRetries: 0 }).auth.me();
  }
  await replica.stop();
  await replica.start();
  await measureAllUnitsFree(environment);
  return `${describe(seen)}; a key for three minutes works everywhere`;
}

async function runRollingRestart(environment: ReplicaEnvironment): Promise<string> {
  let complete = 0;
  let begun = 0;
  const seen = await runUnderLoad(environment, async (callers) => {
    for (const replica of environment.replicas) {
      const streams = stream(environment, 3, 20 * 4);
      begun += 3;
      await callers.answered(CALLERS);
      assertGraceful(await replica.stop());
      complete += await streams;
      await replica.start();
      await callers.answered(SOME);
    }
  });
  assertOnly(seen, environment.hasNginx ? [...SERVED, 502] : [...SERVED_OR_TOLD, ...BROKEN]);
  if (environment.hasNginx) {
    assert.equal(complete, begun);
    assert.ok(count(seen, BROKEN) <= environment.replicas.length, describe(seen));
  }
  await measureAllUnitsFree(environment);
  return `${describe(seen)}; ${complete} of ${begun} streams`;
}
