import { spawnSync } from "node:child_process";
import type { BenchEnvironment } from "./environment.ts";
import { median, type ResultRow } from "./result-row.ts";

const START_COUNT = 15;
const FEATHER = "packages/cli/bin/feather.js";

/** Measures the start of the server and of the CLI. */
export async function measurePrograms({ platform }: BenchEnvironment): Promise<ResultRow[]> {
  const [node = 0, version = 0, list = 0] = measureStartTimes([
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
      measured: `${version.toFixed(0)} ms`,
      reference: `node -e 0: ${node.toFixed(0)} ms`,
      ratio: (version / node).toFixed(2),
      bar: "≤ 1.50",
    },
    {
      what: "feather models list --json",
      measured: `${list.toFixed(0)} ms`,
      reference: `node -e 0: ${node.toFixed(0)} ms`,
      ratio: (list / node).toFixed(2),
      bar: "≤ 3.00",
    },
  ];
}

/**
 * Returns the median start time of each command, in milliseconds. The commands alternate, so that other load affects
 * all of them.
 */
function measureStartTimes(commands: readonly (readonly string[])[]): number[] {
  const rounds = Array.from({ length: START_COUNT }, () => commands.map(measureStartTime));
  return commands.map((_, index) => median(rounds.map((round) => round[index] ?? 0)));
}

function measureStartTime(args: readonly string[]): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - startedAt;
}
