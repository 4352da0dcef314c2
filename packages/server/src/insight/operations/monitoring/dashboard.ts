import { type MetricId, metricOf } from "../../../platform/core/metrics/definitions.ts";
import { nameOf, quantileQueryOf, rateOf } from "./queries.ts";

type Target = { expr: string; legend: string };
/** A graph. Its description is the help text of the metrics that it shows. */
type Graph = { title: string; unit: string; metrics: readonly MetricId[]; targets: readonly Target[] };
type Row = { title: string; graphs: readonly Graph[] };

/** Returns a graph of a rate by one label. */
const rateBy = (title: string, id: MetricId, label: string, unit = "ops"): Graph => ({
  title,
  unit,
  metrics: [id],
  targets: [{ expr: rateOf(id, { by: [label] }), legend: `{{${label}}}` }],
});

/** Returns a graph of the median and the 95th percentile of a histogram. */
const quantiles = (title: string, id: MetricId): Graph => ({
  title,
  unit: "s",
  metrics: [id],
  targets: [0.5, 0.95, 0.99].map((quantile) => ({ expr: quantileQueryOf(id, quantile), legend: `p${quantile * 100}` })),
});

/** Returns a graph of gauges, with a line for each combination of labels. */
const gauges = (title: string, unit: string, metrics: readonly MetricId[]): Graph => ({
  title,
  unit,
  metrics,
  targets: metrics.map((id) => {
    const { name, labels } = metricOf(id);
    return { expr: name, legend: labels.length === 0 ? name : labels.map((label) => `{{${label}}}`).join(" ") };
  }),
});

/** The rows of the dashboard. */
export const ROWS: readonly Row[] = [
  {
    title: "Requests",
    graphs: [
      rateBy("Requests by status", "requests", "status", "reqps"),
      rateBy("Requests by route", "requests", "route", "reqps"),
      rateBy("Errors by code", "errors", "code"),
      quantiles("Duration of requests", "requestSeconds"),
      gauges("Event streams", "short", ["eventStreams"]),
    ],
  },
  {
    title: "Calls to models",
    graphs: [
      rateBy("Calls by model", "calls", "model"),
      rateBy("Calls by outcome", "calls", "outcome"),
      quantiles("Time to the first token", "firstTokenSeconds"),
      {
        title: "Time to the first token by model, p95",
        unit: "s",
        metrics: ["firstTokenSeconds"],
        targets: [{ expr: quantileQueryOf("firstTokenSeconds", 0.95, ["model"]), legend: "{{model}}" }],
      },
      quantiles("Duration of calls", "callSeconds"),
      quantiles("Wait for units", "queueSeconds"),
      rateBy("Tokens by direction", "tokens", "direction", "short"),
      rateBy("Tokens by model", "tokens", "model", "short"),
      gauges("Units", "short", ["units", "unitsLimit"]),
      gauges("Calls", "short", ["runningCalls", "waitingCalls"]),
      gauges("Bodies of waiting calls", "bytes", ["waitingBytes"]),
      gauges("Usage rows that are not stored yet", "short", ["usageRows"]),
    ],
  },
  {
    title: "Backends and models on this machine",
    graphs: [
      gauges("Backends that are used", "short", ["backendUp"]),
      gauges("Calls by backend", "short", ["backendCalls"]),
      gauges("Models by state", "short", ["loadedModels"]),
      {
        title: "Memory for models",
        unit: "bytes",
        metrics: ["hostMemoryUsed", "hostMemoryLimit"],
        targets: [
          { expr: nameOf("hostMemoryUsed"), legend: "{{runtime}} reserved" },
          { expr: nameOf("hostMemoryLimit"), legend: "{{runtime}} limit" },
        ],
      },
      gauges("Downloads", "short", ["pulls"]),
    ],
  },
  {
    title: "Database and jobs",
    graphs: [
      gauges("Connections", "short", ["databaseConnections", "databaseWaiting"]),
      quantiles("Duration of queries", "querySeconds"),
      {
        title: "Failed and slow queries",
        unit: "ops",
        metrics: ["queryErrors", "slowQueries"],
        targets: [
          { expr: rateOf("queryErrors"), legend: "failed" },
          { expr: rateOf("slowQueries"), legend: "slow" },
        ],
      },
      {
        title: "Failed runs of jobs",
        unit: "ops",
        metrics: ["jobRuns"],
        targets: [{ expr: rateOf("jobRuns", { by: ["job"], where: '{result="failed"}' }), legend: "{{job}}" }],
      },
      gauges("Overdue jobs", "s", ["jobLag"]),
      rateBy("Time in jobs", "jobSeconds", "job", "percentunit"),
    ],
  },
  {
    title: "Process",
    graphs: [
      gauges("Delay of the event loop", "s", ["loopDelayMedian", "loopDelayHigh", "loopDelayMax"]),
      gauges("Share of busy time", "percentunit", ["loopUtilization"]),
      gauges("Memory", "bytes", ["residentMemory", "heapUsed"]),
      {
        title: "CPU cores",
        unit: "short",
        metrics: ["cpuSeconds"],
        targets: [{ expr: rateOf("cpuSeconds"), legend: "cores" }],
      },
      {
        title: "Time since the start",
        unit: "s",
        metrics: ["startTime", "info"],
        targets: [{ expr: `time() - ${nameOf("startTime")}`, legend: "uptime" }],
      },
    ],
  },
];

const COLUMNS = 24;
const GRAPHS_PER_ROW = 3;
const GRAPH_HEIGHT = 8;
const DATASOURCE = { type: "prometheus", uid: "$datasource" };

/** Returns the dashboard as JSON that Grafana can import. */
export function toDashboard(rows: readonly Row[]): object {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({ id: panels.length + 1, type: "row", title: row.title, gridPos: { x: 0, y, w: COLUMNS, h: 1 } });
    y += 1;
    for (const [index, graph] of row.graphs.entries()) {
      const w = COLUMNS / GRAPHS_PER_ROW;
      const gridPos = {
        x: (index % GRAPHS_PER_ROW) * w,
        w,
        h: GRAPH_HEIGHT,
        y: y + Math.floor(index / GRAPHS_PER_ROW) * GRAPH_HEIGHT,
      };
      panels.push({ id: panels.length + 1, ...toPanel(graph), gridPos });
    }
    y += Math.ceil(row.graphs.length / GRAPHS_PER_ROW) * GRAPH_HEIGHT;
  }
  return {
    uid: "feather",
    title: "Feather",
    tags: ["feather"],
    timezone: "browser",
    schemaVersion: 39,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus", label: "Data source" }] },
    panels,
  };
}

function toPanel({ title, unit, metrics, targets }: Graph): object {
  return {
    type: "timeseries",
    title,
    description: metrics.map((id) => metricOf(id).help).join("\n\n"),
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: targets.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
