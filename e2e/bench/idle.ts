import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlatform } from "../support/platform.ts";
import { listProcessTree, readSharedMb, readUse } from "./processes.ts";
import { measureCpuTimes } from "./programs.ts";
import { median, type ResultRow } from "./result-row.ts";

const START_COUNT = 5;
/** V8 gives memory back half a minute after the start. */
const SETTLE_MS = 60_000;

/**
 * Measures the CPU time of a start until the server is ready, and the memory of all processes once it has been idle for a
 * minute, both with the two built-in models loaded.
 */
export async function measureIdle(): Promise<ResultRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "feather-idle-"));
  try {
    await measureStart(folder); // sets the database up
    const starts: number[] = [];
    for (let start = 0; start < START_COUNT; start++) starts.push((await measureStart(folder)).cpuMs);
    const { sharedMb } = await measureStart(folder, SETTLE_MS);
    const [node = 0] = measureCpuTimes([["-e", "0"]]);
    return [
      {
        what: "server, start to ready, all processes",
        measured: `${(median(starts) / 1000).toFixed(2)} s CPU`,
        reference: `node -e 0: ${node.toFixed(0)} ms CPU`,
        ratio: (median(starts) / node).toFixed(0),
        bar: "≤ 125",
      },
      {
        what: "server, idle for a minute, all processes, both built-in models loaded",
        measured: `${sharedMb.toFixed(0)} MB`,
        reference: "",
        ratio: "",
        bar: "≤ 450 MB",
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the server and stops it after `idleMs`. Returns what all of its processes have used when it was ready and then. */
async function measureStart(folder: string, idleMs = 0): Promise<{ cpuMs: number; sharedMb: number }> {
  const platform = await startPlatform(folder);
  const pid = platform.process.pid ?? 0;
  const { cpuMs } = readUse(listProcessTree(pid));
  await sleep(idleMs);
  const sharedMb = readSharedMb(listProcessTree(pid));
  platform.process.kill("SIGTERM");
  await platform.ended;
  return { cpuMs, sharedMb };
}
