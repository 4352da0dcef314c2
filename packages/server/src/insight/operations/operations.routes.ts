import type { Clock } from "../../platform/core/clock.ts";
import type { Handlers, ResponseOf } from "../../platform/core/http/handlers.ts";
import type { JobState } from "../../platform/core/metrics/job-stats.ts";
import { countOf, type Series } from "../../platform/core/metrics/series.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import {
  collectSeries,
  countPulls,
  listBackendFigures,
  listRuntimeFigures,
  type RuntimeFigures,
  type Sources,
} from "./collect.ts";
import { type OperationsHistory, type OperationsPoint, sumOf } from "./history.ts";

type Deps = { sources: Sources; history: OperationsHistory; clock: Clock };
type OperationsDto = ResponseOf<"admin.operations">;

const MAX_ERROR_CODES = 20;

/** Handler of `admin.operations`: the state of this server, with its workers, and its last hour. */
export function operationsRoutes({ sources, history, clock }: Deps): Handlers {
  return {
    "admin.operations": async () => {
      const series = await collectSeries(sources);
      return {
        taken_at: clock.now().toISOString(),
        started_at: new Date(sumOf(series, "startTime") * 1000).toISOString(),
        version: sources.version,
        replicas: listReplicas(sources.replicas),
        units_limit: sumOf(series, "unitsLimit"),
        event_streams: sumOf(series, "eventStreams"),
        points: history.list().map(toPointDto),
        errors: listFrequentErrors(series),
        backends: listBackendFigures(sources).map(({ name, isUp, runningCalls }) => ({
          name,
          is_up: isUp,
          running_calls: runningCalls,
        })),
        runtimes: listRuntimeFigures(sources).map(toRuntimeDto),
        pulls: [...countPulls(sources)].map(([name, count]) => ({ name, count })),
        database: toDatabaseDto(series),
        jobs: sources.jobs.list().map(toJobDto),
      };
    },
  };
}

/** Returns the processes on this database, this one first. Empty if only one process can use it. */
function listReplicas(replicas: Replicas): OperationsDto["replicas"] {
  if (replicas.isAlone) return [];
  const leaderId = replicas.leader()?.id;
  return [
    { id: replicas.id(), address: null, is_self: true, is_leader: replicas.isLeader() },
    ...replicas.others().map(({ id, address }) => ({ id, address, is_self: false, is_leader: id === leaderId })),
  ];
}

function listFrequentErrors(series: readonly Series[]): OperationsDto["errors"] {
  return series
    .filter(({ metric }) => metric === "errors")
    .map(({ labels, values }) => ({ name: labels[0] ?? "", count: values[0] ?? 0 }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_ERROR_CODES);
}

function toPointDto(point: OperationsPoint): OperationsDto["points"][number] {
  return {
    at: point.at.getTime(),
    requests_per_second: round(point.requestsPerSecond),
    refused_per_second: round(point.refusedPerSecond),
    failed_per_second: round(point.failedPerSecond),
    calls_per_second: round(point.callsPerSecond),
    tokens_per_second: round(point.tokensPerSecond),
    first_token_p50_ms: roundIfAny(point.firstTokenP50Ms),
    first_token_p95_ms: roundIfAny(point.firstTokenP95Ms),
    units: point.units,
    running_calls: point.runningCalls,
    waiting_calls: point.waitingCalls,
    usage_rows_waiting: point.usageRows,
    loop_delay_ms: round(point.loopDelayMs),
    loop_utilization: round(point.loopUtilization),
    memory_bytes: point.memoryBytes,
    database_in_use: point.databaseInUse,
    database_waiting: point.databaseWaiting,
    query_p95_ms: roundIfAny(point.queryP95Ms),
  };
}

/** Rounds to two decimals: enough for charts, and the response stays small. */
const round = (value: number): number => Math.round(value * 100) / 100;
const roundIfAny = (value: number | null): number | null => (value === null ? null : round(value));

function toRuntimeDto({ name, models, memoryLimit, memoryUsed }: RuntimeFigures): OperationsDto["runtimes"][number] {
  return {
    name,
    models: Object.entries(models).map(([state, count]) => ({ name: state, count })),
    memory_bytes: memoryLimit,
    reserved_bytes: memoryUsed,
  };
}

function toDatabaseDto(series: readonly Series[]): OperationsDto["database"] {
  const queries = series.find(({ metric }) => metric === "querySeconds");
  return {
    connections_in_use: sumOf(series, "databaseConnections", "in_use"),
    connections_idle: sumOf(series, "databaseConnections", "idle"),
    queries_waiting: sumOf(series, "databaseWaiting"),
    queries: queries === undefined ? 0 : countOf(queries),
    failed_queries: sumOf(series, "queryErrors"),
    slow_queries: sumOf(series, "slowQueries"),
  };
}

function toJobDto(job: JobState): OperationsDto["jobs"][number] {
  return {
    name: job.name,
    interval_seconds: job.everySeconds,
    is_running: job.isRunning,
    runs: job.runs,
    failures: job.failures,
    last_duration_ms: job.lastMs === null ? null : Math.round(job.lastMs),
    lag_seconds: Math.round(job.lagMs / 1000),
  };
}
