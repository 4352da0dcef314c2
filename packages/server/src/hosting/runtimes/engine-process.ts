import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { type Account, isRoot } from "../../platform/core/db/embedded/account.ts";
import { listPartPaths } from "../../platform/core/models/split-files.ts";
import { chooseEngineAccount, chooseSocketRoot, chownTo, createEngineEnvironment, withLimits } from "./confinement.ts";
import { ENGINE_BINARY } from "./engine-files.ts";
import { createEngineLog } from "./engine-log.ts";
import { type GpuFiles, type GpuType, listGpuFiles, withDeviceGroup } from "./gpu-files.ts";
import { keepRunning, type ProcessRun, type RestartingProcess } from "./restarting-process.ts";
import { type EngineSandbox, withSandbox } from "./sandbox.ts";

const FOLDER_PREFIX = "feather-engine-";
/** The limit in milliseconds after which a stopping engine is killed. It waits up to ten seconds for its requests. */
const STOP_TIMEOUT_MS = 15_000;

/**
 * Megabytes of each half of V8's space for new objects. An engine has few objects at a time. By default, the space grows
 * to 32 MB while the engine loads, and stays as large when it is idle.
 */
const SEMI_SPACE_MB = 2;

/** A model and the settings of its engine. */
export type EngineModel = {
  id: string;
  /** The path of its file; for vLLM, of the folder with its files. */
  file: string;
  contextLength: number;
  sequences?: number | undefined;
  threads?: number | undefined;
  /** The memory that is reserved for it, in bytes. Only vLLM reads it. */
  memoryBytes?: number | undefined;
  /** vLLM's name for the format of its tool calls; undefined if it is unknown. Only vLLM reads it. */
  toolParser?: string | undefined;
  /** vLLM's name for the format of its reasoning; undefined if it is unknown. Only vLLM reads it. */
  reasoningParser?: string | undefined;
};

/** Callbacks about an engine. */
export type EngineEvents = {
  /** Called when the engine answers on this socket, to requests with the API key if there is one. */
  ready(socketPath: string, apiKey?: string): void;
  /**
   * Called when the engine has exited unexpectedly. It is restarted after `restartsInMs`; `reason` is the last line of its
   * log.
   */
  exited(reason: string, restartsInMs: number): void;
  /** Called with the share of the file that has been loaded, 0 to 1. */
  progress?(fraction: number): void;
  line?(text: string): void;
};

/** A running engine; `stop` resolves when it has exited. */
export type EngineProcess = RestartingProcess;
/** Starts an engine for a model; replaced in tests. */
export type StartEngine = (model: EngineModel, events: EngineEvents) => EngineProcess;

/**
 * Returns the function that starts engines as processes, in the sandbox if there is one, and on the graphics card if one is
 * used.
 */
export function createEngineStarter(log: Logger, sandbox: EngineSandbox, gpu?: GpuType): StartEngine {
  removeStaleFolders();
  if (isRoot() && chooseEngineAccount([process.execPath, ENGINE_BINARY]) === undefined)
    log.warn(
      "Models run with root's rights, because no other user can read the folder of this installation. Run the server " +
        "as a user of its own, or move the installation out of root's home.",
    );
  return (model, events) => runEngine(model, events, { log, isSandboxed: sandbox.state === "on", gpu });
}

type RunOptions = {
  log: Pick<Logger, "debug" | "warn">;
  isSandboxed: boolean;
  /** The type of graphics card that is used; undefined for the processor alone. */
  gpu?: GpuType | undefined;
  /** How long an engine may take to stop before it is killed, in milliseconds. */
  stopTimeoutMs?: number | undefined;
};

/**
 * Runs a model in a separate process, so that a crash of native code ends only that process. An engine that exits is
 * restarted with exponential backoff. Engines stop when their standard input is closed: by `stop`, or because this process
 * has ended.
 */
export function runEngine(
  model: EngineModel,
  events: EngineEvents,
  { log, isSandboxed, gpu, stopTimeoutMs = STOP_TIMEOUT_MS }: RunOptions,
): EngineProcess {
  const folder = createSocketFolder();
  const modelFiles = listPartPaths(model.file);
  const gpuFiles = gpu && listGpuFiles(gpu);
  const account = withDeviceGroup(
    chooseEngineAccount([process.execPath, ENGINE_BINARY, ...modelFiles]),
    gpuFiles?.devices ?? [],
  );
  chownTo(account, folder);
  const socketPath = join(folder, "s");

  function run(markReady: () => void): ProcessRun {
    const child = spawnEngine({ model, modelFiles, socketPath, folder, account, isSandboxed, gpu, gpuFiles });
    const engineLog = createEngineLog();
    forEachLine(child.stdout, (line) => {
      const message = parseLine(line);
      if (typeof message.loading === "number") events.progress?.(message.loading);
      if (message.ready !== true) return;
      markReady();
      events.line?.("ready");
      events.ready(socketPath);
    });
    forEachLine(child.stderr, (line) => {
      events.line?.(engineLog.add(line));
      log.debug({ model: model.id }, line);
    });
    return { child, lastWords: engineLog.lastWords };
  }

  const engine = keepRunning({
    run,
    stopTimeoutMs,
    exited({ reason, restartsInMs, code, signal }) {
      log.warn({ model: model.id, code, signal, reason }, `the engine ended; it starts again in ${restartsInMs} ms`);
      events.exited(reason, restartsInMs);
    },
  });
  return {
    async stop() {
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Spawn = {
  model: EngineModel;
  /** The paths of all parts of its file. */
  modelFiles: readonly string[];
  socketPath: string;
  folder: string;
  account: Account;
  isSandboxed: boolean;
  gpu: GpuType | undefined;
  gpuFiles: GpuFiles | undefined;
};

function spawnEngine({ model, modelFiles, socketPath, folder, account, isSandboxed, gpu, ...spawned }: Spawn) {
  const engineArguments = [...createArguments(model, socketPath), ...(gpu === undefined ? [] : ["--gpu", gpu])];
  const files = { readable: modelFiles, writable: [folder], gpu: spawned.gpuFiles };
  const [command, args] = withLimits(
    ...(isSandboxed
      ? withSandbox(process.execPath, engineArguments, files)
      : ([process.execPath, engineArguments] as const)),
  );
  const child = spawn(command, args, {
    ...account,
    cwd: "/",
    env: createEngineEnvironment(folder, { gpu: gpu !== undefined }),
    stdio: ["pipe", "pipe", "pipe"],
    // Detached, so that Ctrl-C only reaches the server, which lets calls end before it stops its engines.
    detached: true,
  });
  child.stdin?.on("error", () => {}); // the engine may have exited
  return child;
}

/** Longer lines are cut: they come from programs that read untrusted files, and are searched. */
const MAX_LINE_LENGTH = 4_000;

/** Calls `handle` with each line of a stream, cut to 4,000 characters. */
export function forEachLine(stream: Readable | null, handle: (line: string) => void): void {
  if (stream) createInterface({ input: stream }).on("line", (line) => handle(line.slice(0, MAX_LINE_LENGTH)));
}

/** Creates a folder for the socket of an engine that only this user can enter. */
export function createSocketFolder(): string {
  return mkdtempSync(join(chooseSocketRoot(), `${FOLDER_PREFIX}${process.pid}-`));
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
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
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
