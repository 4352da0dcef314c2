/** What processes cost and where they run, as Linux tells it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Time that processes have run, in milliseconds, and their resident memory, in megabytes. */
export type ProcessUse = { cpuMs: number; residentMb: number };

/** Linux counts time of processes in these, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

/** Returns a process and all that descend from it, without those below any of `except`. */
export function listProcessTree(pid: number, except: readonly number[] = []): number[] {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const collect = (id: number): number[] =>
    except.includes(id) ? [] : [id, ...(children.get(id) ?? []).flatMap((child) => collect(child.pid))];
  return collect(pid);
}

/** Returns what these processes, and their children that have ended, have used; one that is gone counts nothing. */
export function readUse(pids: readonly number[]): ProcessUse {
  let cpuMs = 0;
  let residentMb = 0;
  for (const pid of pids) {
    const fields = readStat(pid);
    // utime, stime, cutime and cstime; after the name, which may hold spaces, they are the fields 11 to 14
    cpuMs += fields.slice(11, 15).reduce((sum, ticks) => sum + (Number(ticks) * 1000) / TICKS_PER_SECOND, 0);
    residentMb += Number(/VmRSS:\s+(\d+) kB/.exec(readProc(pid, "status"))?.[1] ?? 0) / 1024;
  }
  return { cpuMs, residentMb };
}

/** Returns the memory of these processes in megabytes. What several processes share counts once. */
export function readSharedMb(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(readProc(pid, "smaps_rollup"))?.[1] ?? 0) / 1024,
    0,
  );
}

/** Lets processes, with all their threads, run on these cores only. */
export function pin(pids: readonly number[], cores: readonly number[]): void {
  for (const pid of pids)
    execFileSync("taskset", ["-a", "-p", "-c", cores.join(","), String(pid)], { stdio: "ignore" });
}

function listProcesses(): { pid: number; parent: number }[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .map((pid) => ({ pid, parent: Number(readStat(pid)[1]) }));
}

/** The fields of `/proc/<pid>/stat` after the name; empty when the process has ended. */
function readStat(pid: number): string[] {
  const text = readProc(pid, "stat");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function readProc(pid: number, file: "stat" | "status" | "smaps_rollup"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
