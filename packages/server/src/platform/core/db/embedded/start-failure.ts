import { statfsSync } from "node:fs";
import type { Cluster, SpawnedPostmaster } from "./postmaster.ts";

/** With less free space than this, PostgreSQL cannot start, in bytes. */
const MIN_FREE_BYTES = 64_000_000;
const MAX_LINES = 12;
const MEGABYTE = 1_000_000;

/** Returns an Error with PostgreSQL's log and likely causes, for example a full disk. */
export function createStartError(cluster: Cluster, postmaster: Pick<SpawnedPostmaster, "log" | "spawnError">): Error {
  const spawnError = postmaster.spawnError();
  if (spawnError !== undefined)
    return new Error(
      `The database server cannot be run: ${spawnError}. ${describeAccount(cluster)} needs to read and run ` +
        `${cluster.binaries.directory}, and to pass through every folder above it.`,
    );
  const free = freeBytes(cluster.data);
  const logExcerpt = extractErrorLines(postmaster.log());
  return new Error(
    [
      `The database server in ${cluster.data} does not start.`,
      ...(free !== undefined && free < MIN_FREE_BYTES
        ? [
            `The disk of ${cluster.data} is full: ${Math.floor(free / MEGABYTE)} MB are free. Make room and start again.`,
          ]
        : []),
      logExcerpt === "" ? "It said nothing." : `It said:\n${logExcerpt}`,
    ].join(" "),
  );
}

const describeAccount = ({ account }: Cluster): string =>
  account === undefined ? "This user" : `The user with id ${account.uid}, as whom it runs,`;

/** Returns the lines of a log from the first error on; without an error, the last lines. */
export function extractErrorLines(log: string): string {
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
