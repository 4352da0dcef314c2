import { chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTemporaryFolder } from "../temporary.ts";
import { chooseDatabaseAccount } from "./account.ts";
import { ensureReachableBinaries, findBinaries } from "./binaries.ts";
import { ensureDataDirectory } from "./cluster.ts";
import { ensureRunning } from "./ensure-running.ts";
import { ensureClusterDirectory } from "./location.ts";
import { type Cluster, stopPostmaster } from "./postmaster.ts";
import { ensureSocketDirectory } from "./socket.ts";
import { createStartError, extractErrorLines } from "./start-failure.ts";

let folder: string;
let lines: string[];
let cluster: Cluster;
const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };

beforeEach(() => {
  folder = createTemporaryFolder("feather-running-");
  lines = [];
  const directory = ensureClusterDirectory(join(folder, "data"), join(folder, "fallback"), log);
  const account = chooseDatabaseAccount(directory);
  const binaries = ensureReachableBinaries(findBinaries(), account, directory);
  const data = ensureDataDirectory(directory, binaries, account, false);
  const socket = ensureSocketDirectory(directory, account, folder);
  cluster = { directory, data, socket, binaries, account, settings: { fsync: "off" } };
});
afterEach(async () => {
  await stopPostmaster(cluster);
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the cluster with a server program of the test instead of PostgreSQL's. */
function withProgram(script: string): Cluster {
  const directory = join(folder, "programs");
  mkdirSync(join(directory, "bin"), { recursive: true });
  writeFileSync(join(directory, "bin/postgres"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, "bin/postgres"), 0o755);
  return { ...cluster, binaries: { ...cluster.binaries, directory } };
}

test("does not stop a server it started that has not written its socket yet", async () => {
  const real = join(cluster.binaries.directory, "bin/postgres");
  const slow = withProgram(
    `echo $$ > ${cluster.data}/postmaster.pid; sleep 1; rm ${cluster.data}/postmaster.pid; exec ${real} "$@"`,
  );
  await ensureRunning(slow, log);
  expect(lines).toEqual([]);
});

test("reports PostgreSQL's log when it cannot start, after a limited number of attempts", async () => {
  truncateSync(join(cluster.data, "global/pg_control"));
  await expect(ensureRunning(cluster, log)).rejects.toThrow(/does not start.*(PANIC|FATAL).*pg_control/s);
});

test("reports at once which program cannot be executed", async () => {
  const broken = withProgram("exit 1");
  chmodSync(join(broken.binaries.directory, "bin/postgres"), 0o644);
  await expect(ensureRunning(broken, log)).rejects.toThrow(/cannot be run.*EACCES/);
});

test("reports a full disk when PostgreSQL could not write its log", () => {
  const own = { log: () => "", spawnError: () => undefined };
  expect(createStartError({ ...cluster, data: "/proc" }, own).message).toMatch(
    /disk of \/proc is full: 0 MB.*said nothing/,
  );
});

test("extracts the error lines from a long log", () => {
  const noise = Array.from({ length: 50 }, (_, index) => `LOG:  line ${index}`);
  expect(extractErrorLines([...noise, "FATAL:  no room", "HINT:  make some"].join("\n"))).toBe(
    "FATAL:  no room\nHINT:  make some",
  );
  expect(extractErrorLines(noise.join("\n")).split("\n")).toHaveLength(12);
});
