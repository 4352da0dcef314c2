/** Measures one, two and three replicas on one PostgreSQL, in the environment of `npm run faults`. */
import { openReplicas, type ReplicaEnvironment, type ReplicaProcess } from "../faults/environment.ts";
import { killLeader } from "../faults/kill-leader.ts";
import { ALL_CORES } from "./cores.ts";
import { BUFFERED_REQUEST, COMPLETIONS_PATH, MODEL } from "./environment.ts";
import { type LoadResult, sendLoad, type Target } from "./load.ts";
import { listProcessTree, readUse } from "./processes.ts";
import { startProgram } from "./program.ts";
import { median } from "./result-row.ts";

const REPLICAS = 3;
const ROUNDS = 3;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 4;

/** The results of this many replicas together: medians of all rounds. */
export type ReplicaRow = {
  replicas: number;
  cores: number;
  "requests/s": number;
  "p50 ms": number;
  "p99 ms": number;
  "CPU µs/request": number;
  "PostgreSQL µs/request": number;
  /** Of each replica, in the order of their start. */
  "memory MB": string;
  failed: number;
  /** From the end of the leader until another one leads; there is none for a replica alone. */
  "takeover s": string;
};

type Sample = LoadResult & { cpuMs: number; databaseCpuMs: number };

/**
 * Measures three replicas, and then those that are left when the leader is killed. Callers and backend run on the same
 * cores, and reach the replicas without a load balancer.
 */
export async function measureReplicas(): Promise<ReplicaRow[]> {
  const backend = await startProgram("bench-backend.ts");
  const backends = JSON.stringify([{ name: "bench", base_url: `${backend.url}/v1`, models: [MODEL] }]);
  const environment = await openReplicas(REPLICAS, { settings: { FEATHER_BACKENDS: backends } });
  try {
    await removeLimits(environment);
    const rows: ReplicaRow[] = [];
    let running = environment.replicas;
    while (running.length > 0) {
      const row = await measure(environment, running);
      const left = running.length > 1 ? await killLeader(environment) : null;
      rows.push({ ...row, "takeover s": left === null ? "" : (left.tookMs / 1000).toFixed(1) });
      running = running.filter((replica) => left !== null && replica !== left.killed);
    }
    return rows.reverse();
  } finally {
    await environment.close();
    backend.stop();
  }
}

/** Gives the callers' organization a plan without a limit of units. */
async function removeLimits({ adminAt, url }: ReplicaEnvironment): Promise<void> {
  const admin = adminAt(url);
  const { id } = await admin.auth.me();
  await admin.admin.users.update(id, { plan_id: "feather_enterprise" });
}

async function measure(
  environment: ReplicaEnvironment,
  running: readonly ReplicaProcess[],
): Promise<Omit<ReplicaRow, "takeover s">> {
  const headers = { authorization: `Bearer ${environment.key}` };
  const targets = running.map(({ port }) => ({ url: `http://127.0.0.1:${port}${COMPLETIONS_PATH}`, headers }));
  await sendLoad(targets, BUFFERED_REQUEST, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const samples: Sample[] = [];
  for (let round = 0; round < ROUNDS; round++) samples.push(await takeSample(environment, running, targets));
  const medianOf = (digits: number, read: (sample: Sample) => number) =>
    Number(median(samples.map(read)).toFixed(digits));
  return {
    replicas: running.length,
    cores: ALL_CORES.length,
    "requests/s": medianOf(0, ({ perSecond }) => perSecond),
    "p50 ms": medianOf(2, ({ p50Ms }) => p50Ms),
    "p99 ms": medianOf(2, ({ p99Ms }) => p99Ms),
    "CPU µs/request": medianOf(0, ({ cpuMs, answered }) => (cpuMs * 1000) / answered),
    "PostgreSQL µs/request": medianOf(0, ({ databaseCpuMs, answered }) => (databaseCpuMs * 1000) / answered),
    "memory MB": running.map((replica) => readUse(listProcesses(replica)).residentMb.toFixed(0)).join(", "),
    failed: samples.reduce((sum, { errors }) => sum + errors, 0),
  };
}

async function takeSample(
  environment: ReplicaEnvironment,
  running: readonly ReplicaProcess[],
  targets: readonly Target[],
): Promise<Sample> {
  const read = () => ({
    own: readUse(running.flatMap(listProcesses)).cpuMs,
    database: readUse(environment.listDatabaseProcesses()).cpuMs,
  });
  const before = read();
  const { result } = await sendLoad(targets, BUFFERED_REQUEST, { connections: CONNECTIONS, seconds: ROUND_SECONDS });
  const after = read();
  return { ...result, cpuMs: after.own - before.own, databaseCpuMs: after.database - before.database };
}

const listProcesses = (replica: ReplicaProcess): number[] => listProcessTree(replica.platform().process.pid ?? 0);
