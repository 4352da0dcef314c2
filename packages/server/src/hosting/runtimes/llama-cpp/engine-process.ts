import { spawn } from "node:child_process";
import { dirname } from "node:path";
import type { Logger } from "pino";
import { type Account, isRoot } from "../../../platform/core/db/embedded/account.ts";
import { listPartPaths } from "../../../platform/core/models/split-files.ts";
import { ENGINE_BINARY } from "../engine-files.ts";
import { chooseEngineAccount, createEngineEnvironment, withLimits } from "../processes/confinement.ts";
import { type GpuFiles, type GpuType, listGpuFiles, withDeviceGroup } from "../processes/gpu-files.ts";
import {
  type EngineEvents,
  type EngineModel,
  type EngineProcess,
  forEachLine,
  type ProcessStart,
  removeStaleFolders,
  runModelProcess,
  type StartEngine,
} from "../processes/model-process.ts";
import type { ProcessRun } from "../processes/restarting-process.ts";
import { type EngineSandbox, withSandbox } from "../processes/sandbox.ts";
import { createEngineLog } from "./engine-log.ts";

/** The limit in milliseconds after which a stopping engine is killed. It waits up to ten seconds for its requests. */
const STOP_TIMEOUT_MS = 15_000;

/**
 * Megabytes of each half of V8's space for new objects. An engine has few objects at a time. By default, the space grows
 * to 32 MB while the engine loads, and stays as large when it is idle.
 */
const SEMI_SPACE_MB = 2;

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
 * Runs a model in a separate process. Engines stop when their standard input is closed: by `stop`, or because this process
 * has ended.
 */
export function runEngine(
  model: EngineModel,
  events: EngineEvents,
  { log, isSandboxed, gpu, stopTimeoutMs = STOP_TIMEOUT_MS }: RunOptions,
): EngineProcess {
  const modelFiles = listPartPaths(model.file);
  const gpuFiles = gpu && listGpuFiles(gpu);
  const account = withDeviceGroup(
    chooseEngineAccount([process.execPath, ENGINE_BINARY, ...modelFiles]),
    gpuFiles?.devices ?? [],
  );

  function run({ socketPath, markReady }: ProcessStart): ProcessRun {
    const child = spawnEngine({ model, modelFiles, socketPath, account, isSandboxed, gpu, gpuFiles });
    const engineLog = createEngineLog();
    forEachLine(child.stdout, (line) => {
      const message = parseLine(line);
      if (typeof message.loading === "number") events.progress?.(message.loading);
      if (message.ready === true) markReady();
    });
    forEachLine(child.stderr, (line) => {
      events.line?.(engineLog.add(line));
      log.debug({ model: model.id }, line);
    });
    return { child, lastWords: engineLog.lastWords };
  }

  return runModelProcess({ model, events, name: "the engine", account, stopTimeoutMs, log, run });
}

type Spawn = {
  model: EngineModel;
  /** The paths of all parts of its file. */
  modelFiles: readonly string[];
  socketPath: string;
  account: Account;
  isSandboxed: boolean;
  gpu: GpuType | undefined;
  gpuFiles: GpuFiles | undefined;
};

function spawnEngine({ model, modelFiles, socketPath, account, isSandboxed, gpu, ...spawned }: Spawn) {
  const folder = dirname(socketPath);
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
