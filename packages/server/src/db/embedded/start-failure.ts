import { statfsSync } from "node:fs";
import type { Cluster, OwnPostmaster } from "./postmaster.ts";

/** Below this free space PostgreSQL cannot start. */
const LEAST_FREE_BYTES = 64_000_000;
const MAX_LINES = 12;
const MEGABYTE = 1_000_000;

/** An Error with PostgreSQL's log and likely causes, for example a full disk. */
export function startFailure(cluster: Cluster, own: Pick<OwnPostmaster, "log" | "spawnError">): Error {
  const spawnError = own.spawnError();
  if (spawnError !== undefined)
    return new Error(
      `The database server cannot be run: ${spawnError}. ${whoRunsIt(cluster)} needs to read and run ` +
        `${cluster.binaries.directory}, and to pass through every folder above it.`,
    );
  const free = freeBytes(cluster.data);
  const words = decisiveLines(own.log());
  return new Error(
    [
      `The database server in ${cluster.data} does not start.`,
      ...(free !== undefined && free < LEAST_FREE_BYTES
        ? [
            `The disk of ${cluster.data} is full: ${Math.floor(free / MEGABYTE)} MB are free. Make room and start again.`,
          ]
        : []),
      words === "" ? "It said nothing." : `It said:\n${words}`,
    ].join(" "),
  );
}

const whoRunsIt = ({ account }: Cluster): string =>
  account === undefined ? "This user" : `The user with id ${account.uid}, as whom it runs,`;

/** The lines of a log from the first error on; the last lines if there is none. */
export function decisiveLines(log: string): string {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  const first = lines.findIndex((line) => /\b(FATAL|PANIC|ERROR):/.test(line));
  return (first === -1 ? lines.slice(-MAX_LINES) : lines.slice(first, first + MAX_LINES)).join("\n");
}

function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
