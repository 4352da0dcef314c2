import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ROOT } from "./run.ts";

/** Ends a test that hangs, in milliseconds. */
const HANG_LIMIT_MS = 120_000;
const dataDir = mkdtempSync(join(tmpdir(), "feather-dev-"));
chmodSync(dataDir, 0o711); // the database runs as another user
let running: ChildProcess | undefined;

/** Sends a signal to all processes of the terminal, as Ctrl-C does. */
function signalAll({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, signal);
}

afterEach(() => {
  if (running !== undefined) signalAll(running, "SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

/** Returns a port that nothing listens at. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    }),
  );
}

test("Ctrl-C ends npm run dev with its server, its site and its database", { timeout: HANG_LIMIT_MS }, async () => {
  const env = {
    ...process.env,
    FEATHER_DATA_DIR: dataDir,
    FEATHER_PORT: String(await freePort()),
    FEATHER_DISCOVER: "off",
    FEATHER_STARTER_MODEL: "off",
  };
  const started = spawn("node", ["scripts/dev.ts"], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = started;
  let output = "";
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (part: Buffer) => {
      output += part.toString();
    });
  const ended = new Promise<void>((resolve) => started.once("close", () => resolve()));
  await expect.poll(() => output, { timeout: HANG_LIMIT_MS }).toContain("is ready");
  const lock = join(dataDir, "postgres/data/postmaster.pid");
  expect(existsSync(lock)).toBe(true);
  signalAll(started, "SIGINT");
  // All processes have the pipes, so that these are closed once the last one has ended.
  await ended;
  expect(existsSync(lock)).toBe(false);
});
