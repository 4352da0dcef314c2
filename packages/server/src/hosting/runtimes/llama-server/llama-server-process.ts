import { dirname } from "node:path";
import type { Logger } from "pino";
import { type Account, isRoot } from "../../../platform/core/db/embedded/account.ts";
import { listPartPaths } from "../../../platform/core/models/split-files.ts";
import { chooseEngineAccount } from "../processes/confinement.ts";
import { type GpuFiles, listGpuFiles, withDeviceGroup } from "../processes/gpu-files.ts";
import type { EngineEvents, EngineModel, EngineProcess, StartEngine } from "../processes/model-process.ts";
import { spawnOwned } from "../processes/spawn-owned.ts";
import { DEFAULT_WATCH_TIMES, type WatchTimes } from "../processes/watch-health.ts";
import { PROGRAM_GRACE_MS, runWatchedProcess } from "../processes/watched-process.ts";
import type { ProcessOptions } from "../runtime.ts";
import { confine, createLlamaServerEnvironment, listAccountFiles } from "./llama-server-environment.ts";
import { createLlamaServerLog } from "./llama-server-log.ts";

/** The engine's default, which the estimates of memory assume. */
const DEFAULT_SEQUENCES = 4;
/** Matches the lines before and after the weights are read, and the share that has been read by then. */
const STAGES: readonly [RegExp, number][] = [
  [/load_model: loading model/, 0.1],
  [/load_model: initializing|initializing slots/, 1],
];

/** The settings that all models of llama-server share. */
type Options = {
  /** The path of the command. */
  command: string;
  /** The files of the graphics card that it uses; undefined for the processor alone. */
  gpu: GpuFiles | undefined;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  isSandboxed: boolean;
  log: Pick<Logger, "debug" | "warn">;
  times: WatchTimes;
};
type StarterOptions = Omit<ProcessOptions, "log"> & { log: Pick<Logger, "debug" | "warn">; times?: WatchTimes };

/**
 * Returns the function that starts llama-server for a model, in the sandbox if there is one. If the server runs as root, logs
 * at once if llama-server cannot run as an unprivileged user.
 */
export function createLlamaServerStarter({
  state: { command, gpu },
  dataDir,
  sandbox,
  log,
  times = DEFAULT_WATCH_TIMES,
}: StarterOptions): StartEngine {
  if (isRoot() && chooseEngineAccount(listAccountFiles(command)) === undefined)
    log.warn(
      "llama-server runs with root's rights, because no other user can read its installation. Run the server as a user of " +
        "its own, or move llama-server out of root's home.",
    );
  const gpuFiles = gpu.state === "on" ? listGpuFiles(gpu.type) : undefined;
  const options = { command, gpu: gpuFiles, dataDir, isSandboxed: sandbox.state === "on", log, times };
  return (model, events) => runLlamaServer(model, events, options);
}

/** Runs llama-server for a model. */
function runLlamaServer(model: EngineModel, events: EngineEvents, options: Options): EngineProcess {
  const account = withDeviceGroup(
    chooseEngineAccount(listAccountFiles(options.command, listModelFiles(model))),
    options.gpu?.devices ?? [],
  );
  return runWatchedProcess({
    ...options,
    model,
    events,
    name: "llama-server",
    account,
    spawn: (socketPath, apiKey) => spawnLlamaServer({ model, options, account, socketPath, apiKey }),
    createLog: createLlamaServerLog,
    readLoadingShare,
  });
}

type Spawn = { model: EngineModel; options: Options; account: Account; socketPath: string; apiKey: string };

function spawnLlamaServer({ model, options, account, socketPath, apiKey }: Spawn) {
  const folder = dirname(socketPath);
  const { command, gpu } = options;
  const [program, args] = confine(command, createArguments(model, socketPath, gpu !== undefined), {
    ...options,
    readable: listModelFiles(model),
    writable: [folder],
  });
  return spawnOwned(program, args, {
    account,
    cwd: "/",
    // The API key is in the environment, because every user of the machine can read a process's arguments.
    env: { ...createLlamaServerEnvironment(folder, { gpu: gpu !== undefined }), LLAMA_API_KEY: apiKey },
    graceMs: PROGRAM_GRACE_MS,
  });
}

/** Returns the paths of the files that a model is read from. */
function listModelFiles({ file, projector }: EngineModel): string[] {
  return [...listPartPaths(file), ...(projector === undefined ? [] : [projector])];
}

function createArguments(
  { id, file, contextLength, sequences = DEFAULT_SEQUENCES, threads, projector, isReranker = false }: EngineModel,
  socketPath: string,
  usesGpu: boolean,
): string[] {
  return [
    ...["--model", file, "--alias", id, "--host", socketPath, "--no-webui", "--jinja"],
    // The sequences share this context equally.
    ...["--ctx-size", String(contextLength * sequences), "--parallel", String(sequences)],
    ...(projector === undefined ? [] : ["--mmproj", projector]),
    ...(threads === undefined ? [] : ["--threads", String(threads)]),
    // A text that is ranked is evaluated at once, so a batch must hold the longest.
    ...(isReranker
      ? ["--reranking", "--batch-size", String(contextLength), "--ubatch-size", String(contextLength)]
      : []),
    ...(usesGpu ? [] : ["--device", "none"]),
  ];
}

function readLoadingShare(line: string): number | null {
  return STAGES.find(([form]) => form.test(line))?.[1] ?? null;
}
