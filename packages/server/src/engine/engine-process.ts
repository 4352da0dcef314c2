import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Logger } from "pino";
import { isRoot } from "../core/db/embedded/account.ts";
import { listPartPaths } from "../core/split-files.ts";
import { MINUTE_MS } from "../core/time.ts";
import { chooseEngineAccount, chooseSocketRoot, chownTo, createEngineEnvironment, withLimits } from "./confinement.ts";
import { ENGINE_BINARY } from "./engine-files.ts";
import { type EngineSandbox, withSandbox } from "./sandbox.ts";

const FOLDER_PREFIX = "feather-engine-";
const MIN_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = MINUTE_MS;
/** An engine that ran this long is considered stable, and the restart delay is reset. */
const STABLE_AFTER_MS = MINUTE_MS;
const MAX_LINE_LENGTH = 2_000;
/** In milliseconds. A stopping engine lets its requests end for ten seconds; after this limit it is killed. */
const STOP_TIMEOUT_MS = 15_000;

/** A model and how its engine is run. */
export type EngineModel = {
  id: string;
  file: string;
  contextLength: number;
  sequences?: number | undefined;
  threads?: number | undefined;
};

/** Callbacks about an engine. */
export type EngineEvents = {
  ready(socketPath: string): void;
  /** The engine exited unexpectedly and is restarted after a delay; `reason` is the last line of its log. */
  exited(reason: string, restartsInMs: number): void;
  /** Fraction of the file that is loaded, from 0 to 1. */
  progress?(fraction: number): void;
  line?(text: string): void;
};

/** A running engine; `stop` resolves when it has exited. */
export type EngineProcess = { stop(): Promise<void> };
/** Starts an engine for a model; replaced in tests. */
export type StartEngine = (model: EngineModel, events: EngineEvents) => EngineProcess;

/** Returns the function that starts engines as processes, in the sandbox if there is one. */
export function createEngineStarter(log: Logger, sandbox: EngineSandbox): StartEngine {
  removeStaleFolders();
  if (isRoot() && chooseEngineAccount([process.execPath, ENGINE_BINARY]) === undefined)
    log.warn(
      "Models run with root's rights, because no other user can read the folder of this installation. Run the server " +
        "as a user of its own, or move the installation out of root's home.",
    );
  return (model, events) => runEngine(model, events, { log, isSandboxed: sandbox.state === "on" });
}

type RunOptions = {
  log: Pick<Logger, "debug" | "warn">;
  isSandboxed: boolean;
  /** Milliseconds that an engine may take to stop before it is killed. */
  stopTimeoutMs?: number | undefined;
};

/**
 * Runs one model in its own process, so that a crash of native code only ends that process. An engine that exits is
 * restarted with exponential backoff. Engines stop when their standard input is closed: by `stop`, or because this
 * process has ended.
 */
export function runEngine(
  model: EngineModel,
  events: EngineEvents,
  { log, isSandboxed, stopTimeoutMs = STOP_TIMEOUT_MS }: RunOptions,
): EngineProcess {
  const folder = mkdtempSync(join(chooseSocketRoot(), `${FOLDER_PREFIX}${process.pid}-`));
  const modelFiles = listPartPaths(model.file);
  const account = chooseEngineAccount([process.execPath, ENGINE_BINARY, ...modelFiles]);
  chownTo(account, folder);
  const socketPath = join(folder, "s");
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let restartDelayMs = MIN_RESTART_DELAY_MS;
  let stopping = false;
  let lastLogLine = "";
  let readyAt = Number.POSITIVE_INFINITY;

  function handleLine(line: string): void {
    const message = parseLine(line);
    if (typeof message.loading === "number") events.progress?.(message.loading);
    if (message.ready !== true) return;
    readyAt = performance.now();
    events.line?.("ready");
    events.ready(socketPath);
  }

  function start(): void {
    const engineArguments = createArguments(model, socketPath);
    const files = { readable: modelFiles, writable: [folder] };
    const [command, args] = withLimits(
      ...(isSandboxed
        ? withSandbox(process.execPath, engineArguments, files)
        : ([process.execPath, engineArguments] as const)),
    );
    child = spawn(command, args, {
      ...account,
      cwd: "/",
      env: createEngineEnvironment(folder),
      stdio: ["pipe", "pipe", "pipe"],
      // Detached, so that Ctrl-C only reaches the server, which lets calls end before it stops its engines.
      detached: true,
    });
    const { stdin, stdout, stderr } = child;
    stdin?.on("error", () => {}); // the engine may have exited
    if (stdout) createInterface({ input: stdout }).on("line", handleLine);
    if (stderr)
      createInterface({ input: stderr }).on("line", (line) => {
        lastLogLine = line.replace(/^feather-engine: /, "").slice(0, MAX_LINE_LENGTH);
        events.line?.(lastLogLine);
        log.debug({ model: model.id }, line);
      });
    // Not `exit`: the last lines may still be in the pipe then.
    child.once("close", (code, signal) => {
      if (stopping) return;
      if (performance.now() - readyAt > STABLE_AFTER_MS) restartDelayMs = MIN_RESTART_DELAY_MS;
      readyAt = Number.POSITIVE_INFINITY;
      const reason = lastLogLine || `It ended by ${signal ?? `status ${code}`}.`;
      log.warn({ model: model.id, code, signal, reason }, `the engine ended; it starts again in ${restartDelayMs} ms`);
      restart = setTimeout(start, restartDelayMs);
      events.exited(reason, restartDelayMs);
      restartDelayMs = Math.min(restartDelayMs * 2, MAX_RESTART_DELAY_MS);
    });
  }

  start();
  return {
    async stop() {
      stopping = true;
      clearTimeout(restart);
      if (child && child.exitCode === null && child.signalCode === null) {
        const exited = new Promise((resolve) => child?.once("exit", resolve));
        child.stdin?.end();
        const killTimer = setTimeout(() => child?.kill("SIGKILL"), stopTimeoutMs);
        await exited;
        clearTimeout(killTimer);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes the socket folders of servers that were killed. */
function removeStaleFolders(): void {
  const root = chooseSocketRoot();
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const pid = Number(name.slice(FOLDER_PREFIX.length).split("-")[0]);
    if (!Number.isSafeInteger(pid) || pid <= 0 || isAlive(pid)) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {
      // owned by another user
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function createArguments({ file, id, contextLength, sequences, threads }: EngineModel, socketPath: string): string[] {
  return [
    ENGINE_BINARY,
    "serve",
    file,
    "--socket",
    socketPath,
    "--model-id",
    id,
    "--context",
    String(contextLength),
    ...(sequences === undefined ? [] : ["--sequences", String(sequences)]),
    ...(threads === undefined ? [] : ["--threads", String(threads)]),
    "--stop-with-stdin",
  ];
}

function parseLine(line: string): { ready?: unknown; loading?: unknown } {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
