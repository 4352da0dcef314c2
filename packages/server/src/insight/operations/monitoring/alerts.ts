import { nameOf, overInterval, quantileQueryOf, rateOf } from "./queries.ts";

/** An alert rule of Prometheus. */
export type AlertRule = {
  alert: string;
  expr: string;
  /** How long the expression must be true before the alert fires. */
  for: string;
  severity: "critical" | "warning";
  summary: string;
  /** What the alert means, and what to do. */
  description: string;
};

const failedShare = (window: string): string =>
  overInterval(`${rateOf("requests", { where: '{status="5xx"}' })} / ${rateOf("requests")}`, window);
const errorRate = (code: string): string => overInterval(rateOf("errors", { where: `{code="${code}"}` }), "5m");

/** The rules that ship with the server. Thresholds are starting points. */
export const ALERTS: readonly AlertRule[] = [
  {
    alert: "FeatherDown",
    expr: `absent(${nameOf("info")})`,
    for: "2m",
    severity: "critical",
    summary: "No metrics of Feather arrive.",
    description: "The server does not run, or Prometheus cannot reach it. Look at its log and at /api/health/live.",
  },
  {
    alert: "FeatherRequestsFail",
    expr: `${failedShare("5m")} > 0.05`,
    for: "5m",
    severity: "critical",
    summary: "More than 5 % of all requests fail.",
    description: "feather_http_errors_total says with which codes; the log has a line for each, with its request id.",
  },
  {
    alert: "FeatherDatabaseUnavailable",
    expr: `${errorRate("storage_unavailable")} > 0`,
    for: "1m",
    severity: "critical",
    summary: "The database does not take what the server stores.",
    description: "PostgreSQL does not run, or its disk is full. Calls go on until 20,000 usage rows wait.",
  },
  {
    alert: "FeatherUsageRowsWait",
    expr: `${nameOf("usageRows")} > 2000`,
    for: "1m",
    severity: "critical",
    summary: "Usage of ended calls does not reach the database.",
    description: "At 20,000 rows the server takes no more calls, and rows that wait are lost if it is killed.",
  },
  {
    alert: "FeatherBackendDown",
    expr: `${nameOf("backendUp")} == 0`,
    for: "5m",
    severity: "warning",
    summary: "The backend {{ $labels.backend }} gets no calls.",
    description: "It does not list its models or failed several calls in a row. Admin > Backends has its last error.",
  },
  {
    alert: "FeatherModelsFailToLoad",
    expr: `sum(${nameOf("loadedModels")}{state="failed"}) > 0`,
    for: "10m",
    severity: "warning",
    summary: "A model on this machine cannot be loaded.",
    description: "Admin > Settings and Admin > Operations say which runtime; admin.modelHost.get says why.",
  },
  {
    alert: "FeatherFirstTokenLate",
    expr: `${overInterval(quantileQueryOf("firstTokenSeconds", 0.95), "10m")} > 30`,
    for: "10m",
    severity: "warning",
    summary: "One in twenty streamed calls waits more than 30 seconds for its first token.",
    description: "Models are being loaded, wait for units, or their backends are too slow for the load.",
  },
  {
    alert: "FeatherCallsWait",
    expr: `${nameOf("waitingCalls")} > 50`,
    for: "5m",
    severity: "warning",
    summary: "Many calls wait for units or for a model.",
    description: "At 512 in the process, or 64 of one organization, further calls are refused.",
  },
  {
    alert: "FeatherOverloaded",
    expr: `${errorRate("overloaded")} > 0`,
    for: "2m",
    severity: "warning",
    summary: "The server refuses requests because its event loop is too slow.",
    description: "It has more to do than one processor core can. Look at what fills it: requests, or streams.",
  },
  {
    alert: "FeatherEventLoopSlow",
    expr: `${nameOf("loopDelayHigh")} > 0.1`,
    for: "5m",
    severity: "warning",
    summary: "The event loop is delayed by more than 100 ms.",
    description: "Every stream is held up by it. From 250 ms on requests are refused.",
  },
  {
    alert: "FeatherDatabaseConnectionsUsedUp",
    expr: `${nameOf("databaseWaiting")} > 5`,
    for: "5m",
    severity: "warning",
    summary: "Queries wait for a connection to the database.",
    description: "The database is slow, or locked by something else. Slow queries are in the log.",
  },
  {
    alert: "FeatherQueriesSlow",
    expr: `${overInterval(rateOf("slowQueries"), "10m")} > 0.1`,
    for: "10m",
    severity: "warning",
    summary: "Database queries take longer than FEATHER_SLOW_QUERY.",
    description: "The log has their text. Look for missing memory, a slow disk, or VACUUM that does not keep up.",
  },
  {
    alert: "FeatherJobLate",
    expr: `${nameOf("jobLag")} > 900`,
    for: "5m",
    severity: "warning",
    summary: "The job {{ $labels.job }} has not succeeded for too long.",
    description: "It failed, which the log says with its name, or it hangs. What it does is not done meanwhile.",
  },
];

/** Returns the rules as a rule file of Prometheus. */
export const toRuleFile = (alerts: readonly AlertRule[]): object => ({
  groups: [
    {
      name: "feather",
      rules: alerts.map(({ alert, expr, for: duration, severity, summary, description }) => ({
        alert,
        expr,
        for: duration,
        labels: { severity },
        annotations: { summary, description },
      })),
    },
  ],
});
