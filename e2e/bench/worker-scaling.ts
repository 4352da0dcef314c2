/** Measures what the server answers with one worker and with more, each on a core of its own as far as there are any. */
import { listContenders, place, releaseSelf } from "./contenders.ts";
import { compareWithOneCore } from "./core-speed.ts";
import { ANYWHERE, placeWorkers } from "./cores.ts";
import { type BenchEnvironment, BUFFERED_REQUEST, openEnvironment } from "./environment.ts";
import type { LoadResult } from "./load.ts";
import { loadFromProcesses } from "./load-processes.ts";
import { readUse } from "./processes.ts";
import { median } from "./result-row.ts";
import { settingsForWorkers } from "./workers.ts";

/** What the server did with so many workers: medians of all rounds. */
export type WorkerRow = {
  workers: number;
  cores: string;
  "requests/s": number;
  "of one worker": number;
  /** How many times the work of one core these cores do: no number of workers can exceed that. */
  "of one core": number;
  "p50 ms": number;
  "p99 ms": number;
  "CPU µs/request": number;
  failed: number;
};
type WorkerSample = LoadResult & { cpuMs: number };

const WORKERS = [1, 2, 4, 8];
const ROUNDS = 3;
const ROUND_SECONDS = 2.5;
const WARM_UP_SECONDS = 3;
const CONNECTIONS_PER_WORKER = 64;

/** Measures one, two, four and eight workers, as far as each can have a core of its own; two in any case. */
export async function measureWorkers(): Promise<WorkerRow[]> {
  const rows: WorkerRow[] = [];
  for (const workers of WORKERS.filter((count) => count <= 2 || placeWorkers(count) !== null)) {
    const environment = await openEnvironment(settingsForWorkers(workers), workers);
    try {
      rows.push(await measureCount(environment, workers, rows[0]?.["requests/s"]));
    } finally {
      releaseSelf();
      await environment.close();
    }
  }
  return rows;
}

async function measureCount(
  environment: BenchEnvironment,
  workers: number,
  ofOne: number | undefined,
): Promise<WorkerRow> {
  const placement = placeWorkers(workers) ?? ANYWHERE;
  const ofOneCore = await compareWithOneCore(placement.gateway.slice(0, workers));
  place(listContenders(environment, []), placement);
  await takeSample(environment, workers, WARM_UP_SECONDS);
  const samples: WorkerSample[] = [];
  for (let round = 0; round < ROUNDS; round++) samples.push(await takeSample(environment, workers, ROUND_SECONDS));
  const medianOf = (read: (sample: WorkerSample) => number) => median(samples.map(read));
  const perSecond = Math.round(medianOf((sample) => sample.perSecond));
  return {
    workers,
    cores: placement.name,
    "requests/s": perSecond,
    "of one worker": Number((perSecond / (ofOne ?? perSecond)).toFixed(2)),
    "of one core": Number(ofOneCore.toFixed(2)),
    "p50 ms": Number(medianOf(({ p50Ms }) => p50Ms).toFixed(2)),
    "p99 ms": Number(medianOf(({ p99Ms }) => p99Ms).toFixed(2)),
    "CPU µs/request": Math.round(medianOf(({ cpuMs, answered }) => (cpuMs * 1000) / answered)),
    failed: samples.reduce((sum, { errors }) => sum + errors, 0),
  };
}

async function takeSample(environment: BenchEnvironment, workers: number, seconds: number): Promise<WorkerSample> {
  const contender = listContenders(environment, [])[0];
  const readCpuMs = () => readUse(contender?.listPids() ?? []).cpuMs;
  const before = readCpuMs();
  const options = { connections: CONNECTIONS_PER_WORKER * workers, seconds };
  const result = await loadFromProcesses({ target: environment.ours, body: BUFFERED_REQUEST, options }, workers);
  return { ...result, cpuMs: readCpuMs() - before };
}
