import type { Operations, OperationsCount } from "@feather/sdk";
import { formatBytes, formatCount } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import type { DetailView } from "../../../output/index.ts";
import { formatAgo } from "../../../output/time.ts";

const FIELDS = [
  "taken_at",
  "started_at",
  "version",
  "replicas",
  "units_limit",
  "event_streams",
  "points",
  "errors",
  "backends",
  "runtimes",
  "pulls",
  "database",
  "jobs",
] as const satisfies readonly (keyof Operations)[];
/** A job that is overdue by fewer seconds is on time: its runs take some. */
const LATE_SECONDS = 60;
const MAX_ERRORS = 5;

/** Shows the load of the server, and what does not work. */
export const adminOperations: Command<undefined> = {
  name: "admin operations",
  summary: "See how the server does",
  description: "The process that answers, now. --json has each ten seconds of the last hour too.",
  prints: "one",
  fields: FIELDS,
  needs: "admin",
  examples: ["feather admin operations", "feather admin operations --jq '.jobs[] | select(.lag_seconds > 60) | .name'"],
  options: () => undefined,
  async run({ client, now, output, signal }) {
    const { admin } = await client();
    output.printDetails(createDetailView(now()), await admin.operations({ signal }));
  },
};

function createDetailView(now: Date): DetailView<Operations> {
  return {
    id: ({ version }) => version,
    lines: (operations) => [
      ["version", `${operations.version}, started ${formatAgo(operations.started_at, now)}`],
      ...toReplicaLines(operations),
      ...toLoadLines(operations),
      ["backends", describeBackends(operations)],
      ["models here", describeRuntimes(operations)],
      ["downloads", listCounts(operations.pulls)],
      ["database", describeDatabase(operations)],
      ["jobs", describeJobs(operations)],
      ["errors", listCounts(operations.errors.slice(0, MAX_ERRORS))],
    ],
  };
}

/** Nothing for a process that works alone. */
function toReplicaLines({ replicas }: Operations): (readonly [string, string])[] {
  if (replicas.length === 0) return [];
  const texts = replicas.map(({ id, is_self, is_leader }) => {
    const notes = [...(is_self ? ["answers"] : []), ...(is_leader ? ["leads"] : [])];
    return notes.length === 0 ? id : `${id} (${notes.join(", ")})`;
  });
  return [["processes", texts.join(", ")]];
}

function toLoadLines({ points, units_limit, event_streams }: Operations): (readonly [string, string])[] {
  const last = points.at(-1);
  if (last === undefined) return [["load", "not measured yet; ask again in ten seconds"]];
  const { first_token_p50_ms: half, first_token_p95_ms: most } = last;
  return [
    [
      "requests",
      `${last.requests_per_second} per second, ${last.failed_per_second} failed, ${last.refused_per_second} refused`,
    ],
    ["first token", half === null || most === null ? "no streamed calls" : `${half} ms, 95 % within ${most} ms`],
    ["units", `${formatCount(last.units)} in use; plans have ${formatCount(units_limit)}`],
    ["calls", `${formatCount(last.running_calls)} running, of which ${formatCount(last.waiting_calls)} wait`],
    ["event loop", `${last.loop_delay_ms} ms late, ${Math.round(last.loop_utilization * 100)} % busy`],
    ["memory", formatBytes(last.memory_bytes)],
    ["event streams", formatCount(event_streams)],
  ];
}

function describeBackends({ backends }: Operations): string {
  const down = backends.filter(({ is_up }) => !is_up).map(({ name }) => name);
  const counts = `${formatCount(backends.length - down.length)} of ${formatCount(backends.length)} used`;
  return down.length === 0 ? counts : `${counts}; not: ${down.join(", ")}`;
}

function describeRuntimes({ runtimes }: Operations): string {
  return runtimes
    .map(
      ({ name, models, reserved_bytes, memory_bytes }) =>
        `${name} ${listCounts(models)}, ${formatBytes(reserved_bytes)} of ${formatBytes(memory_bytes)}`,
    )
    .join("; ");
}

function describeDatabase({ database }: Operations): string {
  const { connections_in_use, queries_waiting, failed_queries, slow_queries } = database;
  return `${connections_in_use} connections in use, ${queries_waiting} queries wait; ${formatCount(failed_queries)} failed, ${formatCount(slow_queries)} slow since the start`;
}

function describeJobs({ jobs }: Operations): string {
  const late = jobs.filter(({ lag_seconds }) => lag_seconds >= LATE_SECONDS);
  if (late.length === 0) return "all on time";
  return `late: ${late.map(({ name, lag_seconds }) => `${name} (${formatCount(lag_seconds)} s)`).join(", ")}`;
}

function listCounts(counts: readonly OperationsCount[]): string {
  const found = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${formatCount(count)} ${name}`);
  return found.length === 0 ? "none" : found.join(", ");
}
