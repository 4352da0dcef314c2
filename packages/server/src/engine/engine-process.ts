import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Logger } from "pino";

const BINARY = join(
  dirname(createRequire(import.meta.url).resolve("@feather/engine/package.json")),
  "bin/feather-engine.js",
);
const FIRST_RESTART = 500;
const LONGEST_RESTART = 60_000;

export type EngineModel = { id: string; file: string; contextLength: number };
export type EngineEvents = { ready(socketPath: string): void; gone(): void };
export type EngineProcess = { stop(): Promise<void> };

/**
 * Runs one model in a process of its own, so that a crash of native code stops at that process. One that ends is
 * started again, after longer and longer pauses.
 */
export function runEngine(model: EngineModel, events: EngineEvents, log: Logger): EngineProcess {
  const folder = mkdtempSync(join(tmpdir(), "feather-engine-"));
  const socketPath = join(folder, "s");
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let pause = FIRST_RESTART;
  let stopping = false;

  function start(): void {
    const args = [
      BINARY,
      "serve",
      model.file,
      "--socket",
      socketPath,
      "--model-id",
      model.id,
      "--context",
      String(model.contextLength),
      "--parent-pid",
      String(process.pid),
    ];
    child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const { stdout, stderr } = child;
    if (stdout)
      createInterface({ input: stdout }).on("line", (line) => {
        if (!line.includes('"ready":true')) return;
        pause = FIRST_RESTART;
        events.ready(socketPath);
      });
    if (stderr) createInterface({ input: stderr }).on("line", (line) => log.debug({ model: model.id }, line));
    child.once("exit", (code, signal) => {
      events.gone();
      if (stopping) return;
      log.warn({ model: model.id, code, signal }, `the engine ended; it starts again in ${pause} ms`);
      restart = setTimeout(start, pause);
      pause = Math.min(pause * 2, LONGEST_RESTART);
    });
  }

  start();
  return {
    async stop() {
      stopping = true;
      clearTimeout(restart);
      if (child && child.exitCode === null && child.signalCode === null) {
        const gone = new Promise((resolve) => child?.once("exit", resolve));
        child.kill("SIGTERM");
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
