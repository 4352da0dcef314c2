import { spawnSync } from "node:child_process";
import type { BenchEnvironment } from "./environment.ts";
import { median, type ResultRow } from "./result-row.ts";

const START_COUNT = 15;
const FEATHER = "packages/cli/bin/feather.js";

/**
 * Measures the start of the server, and the CPU time of CLI commands compared with a program that does nothing. CPU
 * time is what a command costs; its wall time depends on the network and on other load.
 */
export async function measurePrograms({ platform }: BenchEnvironment): Promise<ResultRow[]> {
  const [node = 0, version = 0, list = 0] = measureCpuTimes([
    ["-e", "0"],
    [FEATHER, "--version"],
    [FEATHER, "models", "list", "--json", "--base-url", platform.baseUrl],
  ]);
  return [
    {
      what: "server, warm start to ready",
      measured: `${(platform.readyMs / 1000).toFixed(2)} s`,
      reference: "",
      ratio: "",
      bar: "≤ 4 s",
    },
    {
      what: "feather --version",
      measured: `${version.toFixed(0)} ms CPU`,
      reference: `node -e 0: ${node.toFixed(0)} ms CPU`,
      ratio: (version / node).toFixed(2),
      bar: "≤ 1.50",
    },
    {
      what: "feather models list --json",
      measured: `${list.toFixed(0)} ms CPU`,
      reference: `node -e 0: ${node.toFixed(0)} ms CPU`,
      ratio: (list / node).toFixed(2),
      bar: "≤ 6.00",
    },
  ];
}

/**
 * Returns the median CPU time of each command, in milliseconds. The commands alternate, so that other load affects all
 * of them.
 */
export function measureCpuTimes(commands: readonly (readonly string[])[]): number[] {
  const rounds = Array.from({ length: START_COUNT }, () => commands.map(measureCpuTime));
  return commands.map((_, index) => median(rounds.map((round) => round[index] ?? 0)));
}

/** Returns user and system time of a command, in milliseconds. Node does not report those of a child, but bash does. */
function measureCpuTime(args: readonly string[]): number {
  const script = `TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1`;
  const { status, stderr } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}.`);
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1000;
}
