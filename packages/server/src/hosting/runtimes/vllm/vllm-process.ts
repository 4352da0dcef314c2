import { dirname } from "node:path";
import type { Logger } from "pino";
import { type Account, isRoot } from "../../../platform/core/db/embedded/account.ts";
import { chownTo } from "../processes/confinement.ts";
import { listGpuFiles, withDeviceGroup } from "../processes/gpu-files.ts";
import type { EngineEvents, EngineModel, EngineProcess, StartEngine } from "../processes/model-process.ts";
import { listServerFiles, withProgramSandbox } from "../processes/program-sandbox.ts";
import { readLoadingShare } from "../processes/python-log.ts";
import { choosePythonAccount, prepareCacheFolder } from "../processes/python-program.ts";
import { spawnOwned } from "../processes/spawn-owned.ts";
import { DEFAULT_WATCH_TIMES, type WatchTimes } from "../processes/watch-health.ts";
import { folderOfProgram, PROGRAM_GRACE_MS, runWatchedProcess } from "../processes/watched-process.ts";
import type { ProcessOptions } from "../runtime.ts";
import { createVllmEnvironment, vllmFolder } from "./vllm-environment.ts";
import { createVllmLog } from "./vllm-log.ts";

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
  if (isRoot() && choosePythonAccount(command, vllmFolder(dataDir)) === undefined)
    log.warn(
      "vLLM runs with root's rights, because no other user can read its installation or enter the data folder. Run the server " +
        "as a user of its own, or move both out of root's home.",
    );
  const isSandboxed = sandbox.state === "on";
  const options = { command, gpuBytes: gpu.state === "on" ? gpu.totalBytes : 0, dataDir, isSandboxed, log, times };
  return (model, events) => runVllm(model, events, options);
}

/** Runs `vllm serve` for a model. */
function runVllm(model: EngineModel, events: EngineEvents, options: VllmOptions): EngineProcess {
  const account = withDeviceGroup(
    choosePythonAccount(options.command, vllmFolder(options.dataDir), model.file),
    listGpuFiles("cuda").devices,
  );
  // The folder of a model is closed to other users, but not its files.
  chownTo(account, model.file);
  return runWatchedProcess({
    ...options,
    model,
    events,
    name: "vLLM",
    account,
    spawn: (socketPath, apiKey) => spawnVllm({ model, options, account, socketPath, apiKey }),
    createLog: createVllmLog,
    readLoadingShare,
  });
}

type Spawn = {
  model: EngineModel;
  options: VllmOptions;
  account: Account;
  socketPath: string;
  apiKey: string;
};

function spawnVllm({ model, options, account, socketPath, apiKey }: Spawn) {
  const { command, dataDir, isSandboxed, gpuBytes } = options;
  const cacheFolder = vllmFolder(dataDir);
  prepareCacheFolder(cacheFolder, account);
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
    graceMs: PROGRAM_GRACE_MS,
  });
}

function createArguments(
  { id, file, contextLength, memoryBytes = 0, toolParser, reasoningParser }: EngineModel,
  socketPath: string,
  gpuBytes: number,
): string[] {
  return [
    ...["serve", file, "--uds", socketPath, "--served-model-name", id],
    ...["--max-model-len", String(contextLength), "--scheduling-policy", "priority"],
    ...["--gpu-memory-utilization", (Math.ceil((memoryBytes / gpuBytes) * 1000) / 1000).toFixed(3)],
    ...(toolParser === undefined ? [] : ["--enable-auto-tool-choice", "--tool-call-parser", toolParser]),
    ...(reasoningParser === undefined ? [] : ["--reasoning-parser", reasoningParser]),
    "--disable-uvicorn-access-log",
  ];
}
