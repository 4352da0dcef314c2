import { z } from "zod";
import { bind } from "../../platform/core/bind.ts";
import { isMetricId, type MetricId, metricOf } from "../../platform/core/metrics/definitions.ts";
import { type Series, sumSeries } from "../../platform/core/metrics/series.ts";
import { answerPeerCall, type PeerAnswer, type PeerCall } from "../../platform/core/peers/peer-call.ts";
import type { PeerClient } from "../../platform/core/peers/peer-client.ts";
import type { OtherReplica, Replicas } from "../../platform/core/replicas/replicas.ts";

/** Gauges that are added up over all processes. */
const ADDED: ReadonlySet<MetricId> = new Set<MetricId>([
  "eventStreams",
  "runningCalls",
  "units",
  "waitingCalls",
  "waitingBytes",
  "usageRows",
  "backendCalls",
  "databaseConnections",
  "databaseWaiting",
  "residentMemory",
  "heapUsed",
]);
/** Gauges of which the highest value is used: those of the busiest process, and those that only the leader has. */
const HIGHEST: ReadonlySet<MetricId> = new Set<MetricId>([
  "loopDelayMedian",
  "loopDelayHigh",
  "loopDelayMax",
  "loopUtilization",
  "jobLag",
  "loadedModels",
  "hostMemoryLimit",
  "hostMemoryUsed",
]);
const TIMEOUT_MS = 500;

const figures = z.object({
  id: z.string(),
  series: z.array(z.object({ metric: z.string(), labels: z.array(z.string()), values: z.array(z.number()) })),
});
const READ_FIGURES: PeerCall<Record<string, never>, z.infer<typeof figures>> = {
  name: "figures",
  input: z.object({}).strict(),
  output: figures,
  timeoutMs: TIMEOUT_MS,
};

type Deps = {
  replicas: Pick<Replicas, "id">;
  peers: Pick<PeerClient, "askOthers">;
  /**
   * Returns whether another replica is a process of this machine, so that its figures are combined with those of this
   * process.
   */
  isOfThisMachine(replica: OtherReplica): boolean;
};
type Context = Deps & {
  /** The last figures of each other process. Its counters are kept when it has ended, so that sums do not fall. */
  known: Map<string, readonly Series[]>;
};

/** Combines the figures of all processes of this machine. */
export type MachineFigures = {
  /** Combines the figures of this process with those of the others, without those that do not answer within half a second. */
  combine(own: readonly Series[]): Promise<Series[]>;
  /** Returns the handler with which this process sends its figures to the others. */
  toPeerAnswer(readOwn: () => Promise<readonly Series[]>): PeerAnswer;
};

/**
 * Creates the combination of figures. The processes of a machine share a port, so that a request for metrics reaches one of
 * them.
 */
export function createMachineFigures(deps: Deps): MachineFigures {
  const context: Context = { ...deps, known: new Map() };
  return {
    ...bind(context, { combine }),
    toPeerAnswer: (readOwn) =>
      answerPeerCall(READ_FIGURES, async () => ({ id: deps.replicas.id(), series: (await readOwn()).map(toJson) })),
  };
}

async function combine({ peers, isOfThisMachine, known }: Context, own: readonly Series[]): Promise<Series[]> {
  const { answers } = await peers.askOthers(READ_FIGURES, {}, isOfThisMachine);
  const live = answers.map(({ id, series }) => ({ id, series: series.flatMap(toKnownSeries) }));
  for (const { id, series } of live) known.set(id, series);
  const others = live.flatMap(({ series }) => series);
  const counted = [...own, ...[...known.values()].flat()].filter(({ metric }) => metricOf(metric).type !== "gauge");
  const added = [...own, ...others].filter(({ metric }) => ADDED.has(metric));
  const highest = [...own, ...others].filter(({ metric }) => HIGHEST.has(metric));
  const ownOnly = own.filter(({ metric }) => isGauge(metric) && !ADDED.has(metric) && !HIGHEST.has(metric));
  return [...sumSeries([counted, added]), ...takeHighest(highest), ...ownOnly];
}

function isGauge(metric: MetricId): boolean {
  return metricOf(metric).type === "gauge";
}

function toJson({ metric, labels, values }: Series) {
  return { metric, labels: [...labels], values: [...values] };
}

/** Converts figures of another process. Leaves out metrics that this version does not know. */
function toKnownSeries({ metric, labels, values }: z.infer<typeof figures>["series"][number]): Series[] {
  return isMetricId(metric) ? [{ metric, labels, values }] : [];
}

function takeHighest(series: readonly Series[]): Series[] {
  const groups = Map.groupBy(series, ({ metric, labels }) => [metric, ...labels].join("\0"));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, values: [Math.max(...group.map(({ values }) => values[0] ?? 0))] }];
  });
}
