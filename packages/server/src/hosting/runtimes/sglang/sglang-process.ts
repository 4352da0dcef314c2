import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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
import { createSglangEnvironment, sglangFolder } from "./sglang-environment.ts";
import { createSglangLog } from "./sglang-log.ts";

/** SGLang listens on a port only. */
const SERVE_PORT_AT_SOCKET = fileURLToPath(new URL("../processes/serve-port-at-socket.ts", import.meta.url));
const DEFAULT_SEQUENCES = 4;

/** The settings that all models of SGLang share. */
type Options = {
  /** The path of the command. */
  command: string;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  isSandboxed: boolean;
  log: Pick<Logger, "debug" | "warn">;
  times: WatchTimes;
};
type StarterOptions = Omit<ProcessOptions, "log"> & { log: Pick<Logger, "debug" | "warn">; times?: WatchTimes };

/**
 * Returns the function that starts SGLang for a model whose files are in a folder, in the sandbox if there is one. If the
 * server runs as root, logs at once if SGLang cannot run as an unprivileged user.
 */
export function createSglangStarter({
  state: { command },
  dataDir,
  sandbox,
  log,
  times = DEFAULT_WATCH_TIMES,
}: StarterOptions): StartEngine {
  if (isRoot() && choosePythonAccount(command, sglangFolder(dataDir)) === undefined)
    log.warn(
      "SGLang runs with root's rights, because no other user can read its installation or enter the data folder. Run the " +
        "server as a user of its own, or move both out of root's home.",
    );
  const options = { command, dataDir, isSandboxed: sandbox.state === "on", log, times };
  return (model, events) => runSglang(model, events, options);
}

/** Runs `sglang serve` for a model. */
function runSglang(model: EngineModel, events: EngineEvents, options: Options): EngineProcess {
  const account = withDeviceGroup(
    choosePythonAccount(options.command, sglangFolder(options.dataDir), model.file),
    listGpuFiles("cuda").devices,
  );
  // The folder of a model is closed to other users, but not its files.
  chownTo(account, model.file);
  return runWatchedProcess({
    ...options,
    model,
    events,
    name: "SGLang",
    account,
    spawn: (socketPath, apiKey) => spawnSglang({ model, options, account, socketPath, apiKey }),
    createLog: createSglangLog,
    readLoadingShare,
  });
}

type Spawn = { model: EngineModel; options: Options; account: Account; socketPath: string; apiKey: string };

function spawnSglang({ model, options, account, socketPath, apiKey }: Spawn) {
  const { command, dataDir, isSandboxed } = options;
  const cacheFolder = sglangFolder(dataDir);
  prepareCacheFolder(cacheFolder, account);
  const folder = dirname(socketPath);
  const configFile = writeConfig(folder, account, apiKey);
  const served = [SERVE_PORT_AT_SOCKET, socketPath, command, ...createArguments(model, configFile)];
  const files = {
    programs: [folderOfProgram(command), dirname(process.execPath), dirname(SERVE_PORT_AT_SOCKET)],
    hidden: listServerFiles(dataDir),
    readable: [model.file],
    writable: [cacheFolder, folder],
    gpu: listGpuFiles("cuda"),
  };
  const [program, args] = isSandboxed
    ? withProgramSandbox(process.execPath, served, files)
    : ([process.execPath, served] as const);
  return spawnOwned(program, args, {
    account,
    cwd: cacheFolder,
    env: createSglangEnvironment(cacheFolder, isSandboxed),
    graceMs: PROGRAM_GRACE_MS,
  });
}

/**
 * Writes the file with the API key into the folder of the socket. SGLang takes the key from no environment variable, and every
 * user of the machine can read a process's arguments.
 */
function writeConfig(folder: string, account: Account, apiKey: string): string {
  const file = join(folder, "config.yaml");
  writeFileSync(file, `api-key: "${apiKey}"\n`, { mode: 0o600 });
  chownTo(account, file);
  return file;
}

function createArguments(
  { id, file, contextLength, sequences = DEFAULT_SEQUENCES, toolParser, reasoningParser }: EngineModel,
  configFile: string,
): string[] {
  return [
    ...["serve", "--model-type", "llm", "--model-path", file, "--config", configFile, "--served-model-name", id],
    ...["--host", "127.0.0.1", "--port", "{port}", "--context-length", String(contextLength)],
    // The memory of the weights is given. The rest of what is reserved is for the context of this many tokens.
    ...["--max-total-tokens", String(contextLength * sequences)],
    // Lower values first, as in vLLM.
    ...["--enable-priority-scheduling", "--schedule-low-priority-values-first"],
    ...(toolParser === undefined ? [] : ["--tool-call-parser", toolParser]),
    ...(reasoningParser === undefined ? [] : ["--reasoning-parser", reasoningParser]),
    ...["--log-level-http", "warning"],
  ];
}
