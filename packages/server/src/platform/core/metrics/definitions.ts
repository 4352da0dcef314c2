/** The definition of a metric for Prometheus. */
export type MetricDefinition = {
  /** Its name in Prometheus, which ends with the unit. */
  name: string;
  type: "counter" | "gauge" | "histogram";
  /** A description for the docs and for the scraper. */
  help: string;
  /** The names of its labels. Their values are from a bounded set: never an id of a user, an organization or a key. */
  labels: readonly string[];
  /** The upper bounds of a histogram's buckets. Above the last one is one more bucket. */
  buckets?: readonly number[];
};

const CALL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const FIRST_TOKEN_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** All metrics of the server. The endpoint, the docs, the dashboard and the alerts are generated from this list. */
export const METRICS = {
  requests: {
    name: "feather_http_requests_total",
    type: "counter",
    help: "Requests that have ended, by operation of the contract (site for pages and files) and class of the status; aborted where the caller left before a response.",
    labels: ["route", "status"],
  },
  requestSeconds: {
    name: "feather_http_request_duration_seconds",
    type: "histogram",
    help: "Time from the arrival of a request to the end of its response. Streams of events and calls to models are not included.",
    labels: ["route"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  errors: {
    name: "feather_http_errors_total",
    type: "counter",
    help: "Requests that were refused or failed, by the code of the error.",
    labels: ["code"],
  },
  eventStreams: {
    name: "feather_event_streams",
    type: "gauge",
    help: "Streams of events that are being read.",
    labels: [],
  },
  calls: {
    name: "feather_model_calls_total",
    type: "counter",
    help: "Calls to models that have ended, by model (private and other for those without a name here), kind (chat, completion, embedding) and outcome (completed, aborted, failed, interrupted). Calls that were refused before they reached a backend are counted as errors only.",
    labels: ["model", "kind", "outcome"],
  },
  firstTokenSeconds: {
    name: "feather_model_time_to_first_token_seconds",
    type: "histogram",
    help: "Time from the arrival of a streamed call to its first token, with the wait for units and for the model.",
    labels: ["model", "kind"],
    buckets: FIRST_TOKEN_SECONDS,
  },
  callSeconds: {
    name: "feather_model_call_duration_seconds",
    type: "histogram",
    help: "Time from the arrival of a call to a model to its end.",
    labels: ["model", "kind"],
    buckets: CALL_SECONDS,
  },
  queueSeconds: {
    name: "feather_model_call_queue_seconds",
    type: "histogram",
    help: "Time that calls to models waited until they held their units.",
    labels: [],
    buckets: [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  tokens: {
    name: "feather_model_tokens_total",
    type: "counter",
    help: "Tokens of calls to models, by direction: input, output, and cached for the part of input that the backend had in its cache.",
    labels: ["model", "direction"],
  },
  runningCalls: {
    name: "feather_model_calls_running",
    type: "gauge",
    help: "Calls to models that run or wait.",
    labels: [],
  },
  units: {
    name: "feather_units_in_use",
    type: "gauge",
    help: "Concurrency units that running calls hold.",
    labels: [],
  },
  unitsLimit: {
    name: "feather_units_limit",
    type: "gauge",
    help: "Concurrency units that all paid plans have together. Plans without a limit are not included.",
    labels: [],
  },
  waitingCalls: {
    name: "feather_model_calls_waiting",
    type: "gauge",
    help: "Calls that wait for units or for a model to load.",
    labels: [],
  },
  waitingBytes: {
    name: "feather_model_calls_waiting_bytes",
    type: "gauge",
    help: "Memory that the bodies of waiting calls take.",
    labels: [],
  },
  usageRows: {
    name: "feather_usage_rows_waiting",
    type: "gauge",
    help: "Usage rows of ended calls that are not in the database yet. At 20,000 no further calls are taken.",
    labels: [],
  },
  backendUp: {
    name: "feather_backend_up",
    type: "gauge",
    help: "1 if a backend listed its models when it was last asked and does not rest after failures, otherwise 0. The engines of this machine count as one, which is 0 if any of them rests.",
    labels: ["backend"],
  },
  backendCalls: {
    name: "feather_backend_calls_running",
    type: "gauge",
    help: "Calls that a backend is answering.",
    labels: ["backend"],
  },
  loadedModels: {
    name: "feather_host_models",
    type: "gauge",
    help: "Models of this machine that are loaded, loading or waiting for it, by runtime and state.",
    labels: ["runtime", "state"],
  },
  hostMemoryLimit: {
    name: "feather_host_memory_limit_bytes",
    type: "gauge",
    help: "Memory that models on this machine may take, by runtime: of the machine for llama.cpp and llama-server, of the graphics card for vllm and sglang.",
    labels: ["runtime"],
  },
  hostMemoryUsed: {
    name: "feather_host_memory_reserved_bytes",
    type: "gauge",
    help: "Memory that is reserved for models on this machine, by runtime.",
    labels: ["runtime"],
  },
  pulls: {
    name: "feather_pulls",
    type: "gauge",
    help: "Downloads of models that have not ended, by state.",
    labels: ["state"],
  },
  jobRuns: {
    name: "feather_job_runs_total",
    type: "counter",
    help: "Runs of a background job, by result: ok or failed.",
    labels: ["job", "result"],
  },
  jobSeconds: {
    name: "feather_job_duration_seconds_total",
    type: "counter",
    help: "Time that the runs of a background job took, together.",
    labels: ["job"],
  },
  jobLag: {
    name: "feather_job_lag_seconds",
    type: "gauge",
    help: "How long the next successful run of a background job is overdue; 0 while it is on time.",
    labels: ["job"],
  },
  databaseConnections: {
    name: "feather_database_connections",
    type: "gauge",
    help: "Connections of the pool, by state: in_use or idle.",
    labels: ["state"],
  },
  databaseWaiting: {
    name: "feather_database_waiting",
    type: "gauge",
    help: "Queries that wait for a connection of the pool.",
    labels: [],
  },
  querySeconds: {
    name: "feather_database_query_duration_seconds",
    type: "histogram",
    help: "Time that database queries took, without the wait for a connection.",
    labels: [],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  },
  queryErrors: {
    name: "feather_database_query_errors_total",
    type: "counter",
    help: "Database queries that failed, with those whose conflict the server expects.",
    labels: [],
  },
  slowQueries: {
    name: "feather_database_slow_queries_total",
    type: "counter",
    help: "Database queries that took longer than FEATHER_SLOW_QUERY.",
    labels: [],
  },
  loopDelayMedian: {
    name: "nodejs_eventloop_lag_p50_seconds",
    type: "gauge",
    help: "Median delay of the event loop in the last ten seconds.",
    labels: [],
  },
  loopDelayHigh: {
    name: "nodejs_eventloop_lag_p99_seconds",
    type: "gauge",
    help: "Delay of the event loop that 1 % of the last ten seconds' samples exceeded.",
    labels: [],
  },
  loopDelayMax: {
    name: "nodejs_eventloop_lag_max_seconds",
    type: "gauge",
    help: "Largest delay of the event loop in the last minute.",
    labels: [],
  },
  loopUtilization: {
    name: "nodejs_eventloop_utilization_ratio",
    type: "gauge",
    help: "Share of the last ten seconds in which the event loop was busy.",
    labels: [],
  },
  residentMemory: {
    name: "process_resident_memory_bytes",
    type: "gauge",
    help: "Memory of the server's process, without engines and the embedded database.",
    labels: [],
  },
  heapUsed: {
    name: "nodejs_heap_size_used_bytes",
    type: "gauge",
    help: "Memory of JavaScript's heap in use.",
    labels: [],
  },
  cpuSeconds: {
    name: "process_cpu_seconds_total",
    type: "counter",
    help: "CPU time of the server's process.",
    labels: [],
  },
  startTime: {
    name: "process_start_time_seconds",
    type: "gauge",
    help: "When the process was started, in seconds since 1970.",
    labels: [],
  },
  info: {
    name: "feather_info",
    type: "gauge",
    help: "Always 1; its label is the version of the server.",
    labels: ["version"],
  },
} as const satisfies Record<string, MetricDefinition>;

/** The key of a metric in the list. */
export type MetricId = keyof typeof METRICS;

/** Returns the definition of a metric. */
export const metricOf = (id: MetricId): MetricDefinition => METRICS[id];

/** Returns whether a text is the id of a metric. */
export function isMetricId(id: string): id is MetricId {
  return Object.hasOwn(METRICS, id);
}
