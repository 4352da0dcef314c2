import type { Result } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { optionalText, parseDate, parseNumberBetween } from "../../flags.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import { formatClock, formatRfc3339 } from "../../output/time.ts";
import { DEPLOYMENT_ARGUMENT, resolveDeploymentId } from "./deployment.ts";

type Line = Result<"deployments.logs">["lines"][number];
type Options = {
  readonly deployment: string;
  readonly tail: number | undefined;
  readonly since?: string;
  readonly follow: boolean;
};
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Prints the logs of a deployment's replicas, and follows them with `--follow`. */
export const deploymentsLogs: Command<Options> = {
  name: "deployments logs",
  summary: "Read the logs of a deployment",
  description:
    "Lines hold no prompts. The last thousand are kept, as long as the server runs. With --json, a line each.",
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
    const id = await resolveDeploymentId(feather, deployment, signal);
    const query = { ...(tail !== undefined && { tail }) };
    const printIfRecent = (line: Line) => {
      if (new Date(line.logged_at).getTime() >= sinceMs) printLine(context, line);
    };
    if (!follow) {
      const { lines } = await feather.deployments.logs(id, query, { signal });
      for (const line of lines) printIfRecent(line);
      return;
    }
    const stream = await feather.deployments.logs(id, query, { signal, stream: true });
    for await (const line of stream) printIfRecent(line as Line);
  },
};

function printLine({ output }: Context, line: Line): void {
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
