import { spawnSync } from "node:child_process";
import { median, type Row } from "./row.ts";
import type { Stand } from "./stand.ts";

const STARTS = 15;
const FEATHER = "packages/cli/bin/feather.js";

/** Measures the start of the server and of the CLI. */
export async function programRows({ platform }: Stand): Promise<Row[]> {
  const [node = 0, version = 0, list = 0] = startTimes([
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
function startTimes(commands: readonly (readonly string[])[]): number[] {
  const rounds = Array.from({ length: STARTS }, () => commands.map(startTime));
  return commands.map((_, index) => median(rounds.map((round) => round[index] ?? 0)));
}

function startTime(args: readonly string[]): number {
  const began = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - began;
}
