/** Measures how much the server answers with one worker and with several, each on its own core if there are enough. */
import { listContenders, place, releaseSelf } from "./contenders.ts";
import { compareWithOneCore } from "./core-speed.ts";
import { ANYWHERE, type Placement, placeWorkers } from "./cores.ts";
import { type BenchEnvironment, BUFFERED_REQUEST, openEnvironment } from "./environment.ts";
import type { LoadResult } from "./load.ts";
import { loadFromProcesses } from "./load-processes.ts";
import { readUse } from "./processes.ts";
import { median } from "./result-row.ts";
import { settingsForWorkers } from "./workers.ts";

/** The results of the server with this many workers: medians of all rounds. */
export type WorkerRow = {
  workers: number;
  cores: string;
  "requests/s": number;
  "of one worker": number;
  /** The same for workers that have all the processor time they ask for, computed from what a request takes of it. */
  "for equal CPU": number;
  /** How many times the work of one core these cores do: no number of workers can exceed that. */
  "of one core": number;
  "p50 ms": number;
  "p99 ms": number;
  "CPU µs/request": number;
  failed: number;
};
type WorkerSample = LoadResult & { cpuMs: number };

/** A server with this many workers, and the samples of its rounds. */
type MeasuredServer = {
  workers: number;
  environment: BenchEnvironment;
  placement: Placement;
  ofOneCore: number;
  samples: WorkerSample[];
};

const WORKERS = [1, 2, 4, 8];
const ROUNDS = 6;
const ROUND_SECONDS = 2.5;
const WARM_UP_SECONDS = 5;
const CONNECTIONS_PER_WORKER = 64;

/**
 * Measures one, two, four and eight workers, if there is a core for each; two in any case. Their rounds alternate, so
 * that other work on the machine affects all of them.
 */
export async function measureWorkers(): Promise<WorkerRow[]> {
  const servers: MeasuredServer[] = [];
  try {
    for (const workers of WORKERS.filter((count) => count <= 2 || placeWorkers(count) !== null))
      servers.push(await openServer(workers));
    for (const server of servers) await takeSample(server, WARM_UP_SECONDS);
    for (let round = 0; round < ROUNDS; round++)
      for (const server of servers) server.samples.push(await takeSample(server, ROUND_SECONDS));
  } finally {
    releaseSelf();
    for (const { environment } of servers) await environment.close();
  }
  return servers.map((server) => toRow(server, servers[0] ?? server));
}

async function openServer(workers: number): Promise<MeasuredServer> {
  const placement = placeWorkers(workers) ?? ANYWHERE;
  return {
    workers,
    ofOneCore: await compareWithOneCore(placement.gateway.slice(0, workers)),
    environment: await openEnvironment(settingsForWorkers(workers), workers),
    placement,
    samples: [],
  };
}

async function takeSample(server: MeasuredServer, seconds: number): Promise<WorkerSample> {
  const { environment, placement, workers } = server;
  const contenders = listContenders(environment, []);
  place(contenders, placement);
  const readCpuMs = () => readUse(contenders[0]?.listPids() ?? []).cpuMs;
  const before = readCpuMs();
  const options = { connections: CONNECTIONS_PER_WORKER * workers, seconds };
  const result = await loadFromProcesses({ target: environment.ours, body: BUFFERED_REQUEST, options }, workers);
  return { ...result, cpuMs: readCpuMs() - before };
}

function toRow(server: MeasuredServer, one: MeasuredServer): WorkerRow {
  const medianOf = (read: (sample: WorkerSample) => number) => median(server.samples.map(read));
  const perSecond = readPerSecond(server);
  const cpuMicroseconds = readCpuMicroseconds(server);
  return {
    workers: server.workers,
    cores: server.placement.name,
    "requests/s": Math.round(perSecond),
    "of one worker": Number((perSecond / readPerSecond(one)).toFixed(2)),
    "for equal CPU": Number(((server.workers * readCpuMicroseconds(one)) / cpuMicroseconds).toFixed(2)),
    "of one core": Number(server.ofOneCore.toFixed(2)),
    "p50 ms": Number(medianOf(({ p50Ms }) => p50Ms).toFixed(2)),
    "p99 ms": Number(medianOf(({ p99Ms }) => p99Ms).toFixed(2)),
    "CPU µs/request": Math.round(cpuMicroseconds),
    failed: server.samples.reduce((sum, { errors }) => sum + errors, 0),
  };
}

function readPerSecond({ samples }: MeasuredServer): number {
  return median(samples.map(({ perSecond }) => perSecond));
}

function readCpuMicroseconds({ samples }: MeasuredServer): number {
  return median(samples.map(({ cpuMs, answered }) => (cpuMs * 1000) / answered));
}
