import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import type { Logger } from "pino";
import { type Account, isRoot } from "../../../platform/core/db/embedded/account.ts";
import { chownTo } from "../processes/confinement.ts";
import { listGpuFiles, withDeviceGroup } from "../processes/gpu-files.ts";
import {
  type EngineEvents,
  type EngineModel,
  type EngineProcess,
  forEachLine,
  type ProcessStart,
  runModelProcess,
  type StartEngine,
} from "../processes/model-process.ts";
import { listServerFiles, withProgramSandbox } from "../processes/program-sandbox.ts";
import type { ProcessRun } from "../processes/restarting-process.ts";
import { spawnOwned } from "../processes/spawn-owned.ts";
import { DEFAULT_WATCH_TIMES, type WatchTimes, watchHealth } from "../processes/watch-health.ts";
import type { ProcessOptions } from "../runtime.ts";
import { chooseVllmAccount, createVllmEnvironment, prepareVllmFolder, vllmFolder } from "./vllm-environment.ts";
import { createVllmLog, readLoadingShare } from "./vllm-log.ts";

/** How long vLLM may take to end after SIGTERM, in milliseconds. Less than the time that the server may take to stop. */
const GRACE_MS = 7_000;
const STOP_TIMEOUT_MS = 20_000;
/** The settings that all models of vLLM share. */
type VllmOptions = {
  /** The path of the command. */
  command: string;
  /** Memory of the GPU, in bytes. */
  gpuBytes: number;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  /** Whether vLLM runs in a sandbox. */
  isSandboxed: boolean;
  log: Pick<Logger, "debug" | "warn">;
  times: WatchTimes;
};
type StarterOptions = Omit<ProcessOptions, "log"> & { log: Pick<Logger, "debug" | "warn">; times?: WatchTimes };

/**
 * Returns the function that starts vLLM for a model whose files are in a folder, in the sandbox if there is one. If the
 * server runs as root, logs at once if vLLM cannot run as an unprivileged user.
 */
export function createVllmStarter({
  state: { command, gpu },
  dataDir,
  sandbox,
  log,
  times = DEFAULT_WATCH_TIMES,
}: StarterOptions): StartEngine {
  if (isRoot() && chooseVllmAccount(command, vllmFolder(dataDir)) === undefined)
    log.warn(
      "vLLM runs with root's rights, because no other user can read its installation or enter the data folder. Run the server " +
        "as a user of its own, or move both out of root's home.",
    );
  const isSandboxed = sandbox.state === "on";
  const options = { command, gpuBytes: gpu.state === "on" ? gpu.totalBytes : 0, dataDir, isSandboxed, log, times };
  return (model, events) => runVllm(model, events, options);
}

/**
 * Runs `vllm serve` for a model, on a Unix socket in a folder that only this user can enter, and with an API key. If vLLM
 * ends or stops responding, it is restarted with exponential backoff. It ends with this process in any case.
 */
function runVllm(model: EngineModel, events: EngineEvents, options: VllmOptions): EngineProcess {
  const account = withDeviceGroup(
    chooseVllmAccount(options.command, vllmFolder(options.dataDir), model.file),
    listGpuFiles("cuda").devices,
  );
  // The folder of a model is closed to other users, but not its files.
  chownTo(account, model.file);
  const apiKey = randomBytes(32).toString("hex");
  return runModelProcess({
    model,
    events: {
      ...events,
      exited(reason, restartsInMs) {
        events.line?.(reason);
        events.exited(reason, restartsInMs);
      },
    },
    name: "vLLM",
    account,
    stopTimeoutMs: STOP_TIMEOUT_MS,
    log: options.log,
    run: (start) => startOnce({ ...start, model, events, options, account, apiKey }),
  });
}

type Start = ProcessStart & {
  model: EngineModel;
  events: EngineEvents;
  options: VllmOptions;
  account: Account;
  apiKey: string;
};

function startOnce({ model, events, options, account, socketPath, apiKey, markReady }: Start): ProcessRun {
  const { log, times } = options;
  const child = spawnVllm({ model, options, account, socketPath, apiKey });
  const vllmLog = createVllmLog();
  let hungReason = "";
  let group: number | undefined;
  const health = watchHealth(socketPath, times, {
    ready: () => markReady(apiKey),
    hangs(problem) {
      hungReason = problem;
      child.stdin.end();
    },
  });
  const handleLine = (line: string) => {
    health.sawLine();
    vllmLog.add(line);
    const share = readLoadingShare(line);
    if (share !== null) events.progress?.(share);
    log.debug({ model: model.id }, line);
  };
  forEachLine(child.stdout, (line) => {
    if (group === undefined) group = Number(line);
    else handleLine(line);
  });
  forEachLine(child.stderr, handleLine);
  // If the parent process of vLLM was killed, vLLM keeps running and keeps the pipes open.
  child.once("exit", () => {
    health.stop();
    if (group !== undefined) killGroup(group);
  });
  return { child, lastWords: () => hungReason || vllmLog.lastWords() };
}

function spawnVllm({ model, options, account, socketPath, apiKey }: Omit<Start, "events" | "markReady">) {
  const { command, dataDir, isSandboxed, gpuBytes } = options;
  const cacheFolder = vllmFolder(dataDir);
  prepareVllmFolder(cacheFolder, account);
  const vllmArguments = createArguments(model, socketPath, gpuBytes);
  const files = {
    programs: [folderOfProgram(command)],
    hidden: listServerFiles(dataDir),
    readable: [model.file],
    writable: [cacheFolder, dirname(socketPath)],
    gpu: listGpuFiles("cuda"),
  };
  const [program, args] = isSandboxed
    ? withProgramSandbox(command, vllmArguments, files)
    : ([command, vllmArguments] as const);
  return spawnOwned(program, args, {
    account,
    cwd: cacheFolder,
    // The API key is in the environment, because every user of the machine can read a process's arguments.
    env: { ...createVllmEnvironment(cacheFolder, { isSandboxed }), VLLM_API_KEY: apiKey },
    graceMs: GRACE_MS,
  });
}

/** Returns the folder of the Python installation that a program belongs to, or else the program's folder. */
function folderOfProgram(command: string): string {
  const folder = dirname(command);
  return basename(folder) === "bin" && dirname(folder) !== "/" ? dirname(folder) : folder;
}

function createArguments(
  { id, file, contextLength, memoryBytes = 0, toolParser, reasoningParser }: EngineModel,
  socketPath: string,
  gpuBytes: number,
): string[] {
  return [
    ...["serve", file, "--uds", socketPath, "--served-model-name", id],
    ...["--max-model-len", String(contextLength)],
    ...["--gpu-memory-utilization", (Math.ceil((memoryBytes / gpuBytes) * 1000) / 1000).toFixed(3)],
    ...(toolParser === undefined ? [] : ["--enable-auto-tool-choice", "--tool-call-parser", toolParser]),
    ...(reasoningParser === undefined ? [] : ["--reasoning-parser", reasoningParser]),
    "--disable-uvicorn-access-log",
  ];
}

function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // all have ended
  }
}
