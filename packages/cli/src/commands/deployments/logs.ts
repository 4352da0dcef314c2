import type { DeploymentLogLine, Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { optionalText, parseDate, parseNumberBetween } from "../../flags.ts";
import { canRedraw } from "../../output/live-display.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import { formatClock, formatDuration, formatRfc3339 } from "../../output/time.ts";
import type { Wait } from "../../output/waits/wait-line.ts";
import { DEPLOYMENT_ARGUMENT, resolveDeployment } from "./deployment.ts";
import { type FollowOptions, followLogs } from "./follow-logs.ts";

type Options = {
  readonly deployment: string;
  readonly tail: number | undefined;
  readonly since?: string;
  readonly follow: boolean;
};
/** How many lines of each deployment a server keeps. */
const KEPT_LINES = 1000;
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Prints the logs of a deployment's replicas, and follows them with `--follow`. */
export const deploymentsLogs: Command<Options> = {
  name: "deployments logs",
  summary: "Read the logs of a deployment",
  description:
    "Lines hold no prompts. The last thousand are kept, as long as the server runs. With --json, a line each. --follow goes on after a lost connection, until the deployment is deleted.",
  arguments: [DEPLOYMENT_ARGUMENT],
  flags: [
    { name: "-f, --follow", summary: "go on with lines that follow, until Ctrl-C" },
    { name: "--since <time>", summary: "only lines since then: 10m, 2h, or a time in RFC 3339" },
    { name: "--tail <number>", summary: "only the last so many lines", parse: parseNumberBetween(1, 10_000, true) },
  ],
  prints: "json",
  needs: "sign-in",
  examples: ["feather deployments logs support-bot --since 10m", "feather deployments logs support-bot --follow"],
  options: ([deployment = ""], flags) => ({
    deployment,
    tail: typeof flags.tail === "number" ? flags.tail : undefined,
    ...optionalText("since", flags.since),
    follow: flags.follow === true,
  }),
  async run(context, { deployment, tail, since, follow }) {
    const { client, now, signal } = context;
    const sinceMs = since === undefined ? 0 : parseSince(since, now());
    const feather = await client();
    const { id } = await resolveDeployment(context, feather, deployment);
    const query = { ...(tail !== undefined && { tail }) };
    const printIfRecent = (line: DeploymentLogLine) => {
      if (new Date(line.logged_at).getTime() >= sinceMs) printLine(context, line);
    };
    if (!follow) {
      const { lines } = await feather.deployments.logs(id, query, { signal });
      for (const line of lines) printIfRecent(line);
      return;
    }
    const wait = beginWait(context, deployment);
    try {
      for await (const line of followLogs(await createFollowOptions(context, feather, id, query))) printIfRecent(line);
    } finally {
      wait?.end();
    }
  },
};

/** Says at a terminal, below the lines, that more are waited for; elsewhere silence is nothing to report. */
function beginWait({ io, output }: Context, deployment: string): Wait | undefined {
  return canRedraw(io.stderr, io.env) ? output.waits.begin(`Waiting for lines of ${deployment}`) : undefined;
}

async function createFollowOptions(
  { output, signal, sleep }: Context,
  feather: Feather,
  id: string,
  query: { readonly tail?: number },
): Promise<FollowOptions> {
  const { ConnectionError, isNotFound, isRateLimited, ServerError } = await import("@feather/sdk");
  const { explainNetworkError } = await import("../../network/network-errors.ts");
  return {
    async open(isReconnect) {
      const options = { signal, stream: true, ...(isReconnect && { maxRetries: 0 }) } as const;
      const stream = await feather.deployments.logs(id, isReconnect ? { tail: KEPT_LINES } : query, options);
      return stream as AsyncIterable<DeploymentLogLine>;
    },
    async isGone() {
      try {
        return (await feather.deployments.get(id, { signal })).state === "deleting";
      } catch (error) {
        if (isNotFound(error)) return true;
        throw error;
      }
    },
    isTemporary: (error) => error instanceof ConnectionError || error instanceof ServerError || isRateLimited(error),
    pause: (milliseconds) => sleep(milliseconds, signal),
    onLost(error, pauseMs) {
      const reason =
        error instanceof ConnectionError
          ? explainNetworkError(error).reason
          : error instanceof Error
            ? error.message
            : "the server ended it";
      output.info(`The connection was lost (${reason}). Trying again in ${formatDuration(pauseMs)}.`);
    },
    onReconnected: () => output.info("Connected again."),
    minPauseMs: MIN_PAUSE_MS,
    maxPauseMs: MAX_PAUSE_MS,
  };
}

function printLine({ output }: Context, line: DeploymentLogLine): void {
  const at = new Date(line.logged_at);
  if (output.json) output.printJson(line);
  else if (output.mode === "human")
    output.printStyled(
      `${output.style.dim(`${formatClock(at)}  ${sanitizeLine(line.replica)}`)}  ${sanitizeLine(line.text)}`,
    );
  else output.print([formatRfc3339(at), line.replica, line.text].map(sanitizeLine).join("\t"));
}

/** Parses `--since`, a duration before now or a time; returns milliseconds since 1970. Throws `UsageError`. */
function parseSince(text: string, now: Date): number {
  const [, amount, unit = "s"] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return now.getTime() - Number(amount) * (UNIT_MS[unit] ?? 0);
  try {
    return parseDate(text).getTime();
  } catch {
    throw new UsageError(`${text} is not a time`, "--since 10m, or --since 2026-11-21T12:00:00Z");
  }
}
