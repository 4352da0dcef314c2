import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createFeather } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { type Seen, startCallers, stream } from "./callers.ts";
import { type ReplicaEnvironment, UNITS } from "./environment.ts";
import { holdAllUnits } from "./units.ts";

/** Something that goes wrong, and what is promised for it. `run` returns what was measured, and throws if it was not kept. */
export type Scenario = {
  fault: string;
  promise: string;
  run(environment: ReplicaEnvironment): Promise<string>;
};

/** More callers than there are units, so that limits are reached all the time. */
const CALLERS = 12;
const SOME = 40;
/**
 * Within this time what a dead replica had borrowed is back, and another one leads. Held only where the machine has
 * nothing else to do: `npm run faults`.
 */
const TAKEOVER_LIMIT_MS =
  process.env.FAULTS_TAKEOVER_LIMIT_MS === undefined ? null : Number(process.env.FAULTS_TAKEOVER_LIMIT_MS);
const PAUSE_MS = 15_000;
/** Statuses of calls that were served, found all units taken, or came while the database was away. */
const SERVED = [200, 429];
const SERVED_OR_TOLD = [...SERVED, 503];
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
  { fault: "rolling restart", promise: "no call fails and every stream ends as it should", run: runRollingRestart },
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
  const readLeader = async () => {
    const [leader] = await environment.query<{ address: string; replica_id: string }>(
      "select address, replica_id from replica_leader join replicas on id = replica_id",
    );
    return leader;
  };
  const before = await readLeader();
  const addresses = await environment.query<{ address: string }>(
    "select address from replicas order by started_at, id",
  );
  assert.equal(addresses.length, environment.replicas.length);
  const leading = environment.replicas.find(({ replicaAddress }) => replicaAddress === before?.address);
  assert.ok(leading);
  await leading.kill();
  const startedAt = performance.now();
  await waitFor(async () => {
    const leader = await readLeader();
    assert.ok(leader !== undefined && leader.replica_id !== before?.replica_id);
  });
  const tookMs = performance.now() - startedAt;
  assertInTime(tookMs);
  await leading.start();
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
  assertOnly(seen, environment.hasNginx ? SERVED : [...SERVED_OR_TOLD, ...BROKEN]);
  if (environment.hasNginx) assert.equal(complete, begun);
  await measureAllUnitsFree(environment);
  return `${describe(seen)}; ${complete} of ${begun} streams`;
}

/** Runs a fault while callers call, and some more calls afterwards. */
async function runUnderLoad(
  environment: ReplicaEnvironment,
  fault: (callers: { answered(count: number): Promise<void> }) => Promise<void>,
): Promise<Seen> {
  const callers = startCallers(environment, CALLERS);
  await callers.answered(SOME);
  await fault(callers);
  await callers.answered(SOME);
  return callers.stop();
}

/** Returns after how long every unit could be held, in milliseconds. */
async function measureAllUnitsFree(environment: ReplicaEnvironment): Promise<number> {
  const tookMs = await holdAllUnits(environment, environment.backend);
  assertInTime(tookMs);
  return tookMs;
}

/** Each answered call has its usage row. */
async function assertReceipts(environment: ReplicaEnvironment, { answered }: Seen): Promise<void> {
  await waitFor(async () => {
    const rows = await environment.query<{ id: string }>("select id from requests");
    const ids = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      answered.filter((id) => !ids.has(id)),
      [],
    );
  });
}

function pick(environment: ReplicaEnvironment, index: number) {
  const replica = environment.replicas[index];
  assert.ok(replica);
  return replica;
}

function assertOnly({ statuses }: Seen, allowed: readonly number[]): void {
  const others = [...statuses].filter(([status]) => !allowed.includes(status));
  assert.deepEqual(others, []);
}

/** A server that was told to stop may take longer than its drain timeout where the machine is busy, and then ends with 1. */
function assertGraceful(exitCode: number | null): void {
  if (TAKEOVER_LIMIT_MS !== null) assert.equal(exitCode, 0);
}

function assertInTime(tookMs: number): void {
  if (TAKEOVER_LIMIT_MS !== null) assert.ok(tookMs < TAKEOVER_LIMIT_MS, `it took ${seconds(tookMs)}`);
}

function count({ statuses }: Seen, statusesToCount: readonly number[]): number {
  return statusesToCount.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
}

function describe({ statuses }: Seen): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, number]) => `${number} × ${status === 0 ? "broken" : status}`)
    .join(", ");
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
