import type { BackendState } from "../../catalogue/backends/index.ts";
import type { Hosting } from "../../hosting/hosts/index.ts";
import { listRuntimes, type RuntimeName } from "../../hosting/runtimes/index.ts";
import type { PoolState } from "../../platform/core/db/connect.ts";
import type { JobStats } from "../../platform/core/metrics/job-stats.ts";
import type { ProcessMonitor } from "../../platform/core/metrics/process-monitor.ts";
import type { QueryStats } from "../../platform/core/metrics/query-stats.ts";
import { type Series, toSeries } from "../../platform/core/metrics/series.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { MachineFigures } from "./machine-figures.ts";

/** The values that are read when metrics are requested, and the counters of this process. */
export type Sources = {
  version: string;
  replicas: Replicas;
  machine: Pick<MachineFigures, "combine">;
  /** Counters of requests and calls of this process. */
  traffic: { snapshot(): readonly Series[] };
  eventStreams: { count(): number };
  running: { count(): number };
  units: { totalInUse(): number };
  unitsLimit(): Promise<number>;
  waitQueue: { size(): { requests: number; bytes: number } };
  usageWriter: { waiting(): number };
  listBackends(): readonly BackendState[];
  hosting: Pick<Hosting, "host" | "runtimes">;
  openPulls: { list(): readonly { state: string }[] };
  jobs: JobStats;
  queries: QueryStats;
  readPool(): PoolState;
  process: ProcessMonitor;
};

/** A backend in metrics. The engines of this machine are combined to one. */
export type BackendFigures = { name: string; isUp: boolean; runningCalls: number };
/** The models of one runtime and their memory, in bytes. */
export type RuntimeFigures = {
  name: RuntimeName;
  models: Readonly<Record<string, number>>;
  memoryLimit: number;
  memoryUsed: number;
};

const ENGINES = "engines of this machine";
/** Backends beyond this number are combined to one. */
const MAX_BACKENDS = 100;
const OTHER_BACKENDS = "other";

/** Returns all metrics of the processes of this machine that share its port. */
export async function collectSeries(sources: Sources): Promise<Series[]> {
  return sources.machine.combine(await collectOwnSeries(sources));
}

/** Returns the metrics of this process. */
export async function collectOwnSeries(sources: Sources): Promise<Series[]> {
  const { requests, bytes } = sources.waitQueue.size();
  return [
    ...sources.traffic.snapshot(),
    toSeries("eventStreams", sources.eventStreams.count()),
    toSeries("runningCalls", sources.running.count()),
    toSeries("units", sources.units.totalInUse()),
    toSeries("unitsLimit", await sources.unitsLimit()),
    toSeries("waitingCalls", requests),
    toSeries("waitingBytes", bytes),
    toSeries("usageRows", sources.usageWriter.waiting()),
    ...listBackendFigures(sources).flatMap(({ name, isUp, runningCalls }) => [
      toSeries("backendUp", isUp ? 1 : 0, name),
      toSeries("backendCalls", runningCalls, name),
    ]),
    ...listRuntimeFigures(sources).flatMap(toRuntimeSeries),
    ...[...countPulls(sources)].map(([state, count]) => toSeries("pulls", count, state)),
    ...sources.jobs.snapshot(),
    ...toPoolSeries(sources.readPool()),
    ...sources.queries.snapshot(),
    ...sources.process.snapshot(),
    toSeries("info", 1, sources.version),
  ];
}

/**
 * Returns the operator's backends by name. The engines are combined to one, because their names contain those of private
 * models.
 */
export function listBackendFigures({ listBackends }: Pick<Sources, "listBackends">): BackendFigures[] {
  const figures = new Map<string, BackendFigures>();
  for (const backend of listBackends()) {
    const own = backend.isOwn ? ENGINES : backend.name;
    const name = figures.has(own) || figures.size < MAX_BACKENDS ? own : OTHER_BACKENDS;
    const { isUp, runningCalls } = figures.get(name) ?? { isUp: true, runningCalls: 0 };
    figures.set(name, {
      name,
      isUp: isUp && backend.isUp,
      runningCalls: runningCalls + backend.runningCalls,
    });
  }
  return [...figures.values()];
}

/** Returns the available runtimes, with the number of their models by state. */
export function listRuntimeFigures({ hosting }: Sources): RuntimeFigures[] {
  const loaded = hosting.host.listLoaded();
  return listRuntimes(hosting.runtimes).map(({ name, runtime }) => {
    const models: Record<string, number> = { warm: 0 };
    for (const { state } of loaded.filter((model) => model.runtime === name)) models[state] = (models[state] ?? 0) + 1;
    const { budget, free } = runtime.memory;
    return { name, models, memoryLimit: budget, memoryUsed: budget - free() };
  });
}

/** Returns the number of unfinished downloads by state. States without downloads are left out, except `downloading`. */
export function countPulls({ openPulls }: Pick<Sources, "openPulls">): Map<string, number> {
  const counts = new Map([["downloading", 0]]);
  for (const { state } of openPulls.list()) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

function toRuntimeSeries({ name, models, memoryLimit, memoryUsed }: RuntimeFigures): Series[] {
  return [
    ...Object.entries(models).map(([state, count]) => toSeries("loadedModels", count, name, state)),
    toSeries("hostMemoryLimit", memoryLimit, name),
    toSeries("hostMemoryUsed", memoryUsed, name),
  ];
}

function toPoolSeries({ inUse, idle, waiting }: PoolState): Series[] {
  return [
    toSeries("databaseConnections", inUse, "in_use"),
    toSeries("databaseConnections", idle, "idle"),
    toSeries("databaseWaiting", waiting),
  ];
}
