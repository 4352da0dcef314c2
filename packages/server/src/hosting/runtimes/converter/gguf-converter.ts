import { execFile } from "node:child_process";
import { chownSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { type Account, isRoot } from "../../../platform/core/db/embedded/account.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import { chooseEngineAccount, chownTo, createEngineEnvironment } from "../processes/confinement.ts";
import { forEachLine } from "../processes/model-process.ts";
import { withProgramSandbox } from "../processes/program-sandbox.ts";
import type { EngineSandbox } from "../processes/sandbox.ts";
import { STOP_WITH_STDIN, spawnOwned } from "../processes/spawn-owned.ts";
import { type ConverterCommand, findConverter } from "./converter-command.ts";
import { createConverterLog, readConvertedShare } from "./converter-log.ts";

/** A model to convert. */
export type Conversion = {
  /** The folder with its safetensors files, its configuration and its tokenizer. */
  folder: string;
  /** The GGUF file to write. Its folder is created and contains nothing else. */
  output: string;
  /** The largest size of the file, in bytes. */
  maxBytes: number;
  /** Called with the completed share, 0 to 1. */
  onProgress(share: number): void;
};

/** llama.cpp's converter of safetensors files to GGUF files. */
export type GgufConverter = {
  /** Whether a converter is configured, even if it does not work. */
  isSetUp: boolean;
  /** Returns a sentence that says why models cannot be converted here; null if they can. */
  findProblem(): Promise<string | null>;
  /** Converts a model to Q8_0. Rejects with `ConversionFailedError`, or with the reason of the signal. */
  convert(conversion: Conversion, signal: AbortSignal): Promise<void>;
};

/** The error of a converter that failed or took too long. The message has its last output. */
export class ConversionFailedError extends Error {
  override readonly name = "ConversionFailed";
}

/** The converter of servers without `FEATHER_GGUF_CONVERTER`: it converts nothing. */
export const NO_CONVERTER: GgufConverter = {
  isSetUp: false,
  findProblem: async () => "FEATHER_GGUF_CONVERTER names no converter.",
  convert: async () => {
    throw new ConversionFailedError("FEATHER_GGUF_CONVERTER names no converter.");
  },
};

type Options = {
  path: string | undefined;
  sandbox: EngineSandbox;
  /** Folders and files of the server that the converter must not read. */
  hidden: readonly string[];
  log: Pick<Logger, "warn">;
  /** The time limit of a conversion, in milliseconds. */
  timeLimitMs?: number;
};
type Context = Options & { converter: ConverterCommand };

/** How long the converter may take to end after SIGTERM, in milliseconds. */
const GRACE_MS = 1_000;
/** The converter imports PyTorch, which takes seconds, or longer from a slow disk. */
const CHECK_TIME_LIMIT_MS = 2 * MINUTE_MS;
/** Every weight is read and written once. At 50 MB/s, a terabyte takes less. */
const CONVERSION_TIME_LIMIT_MS = 6 * HOUR_MS;
/** The unit of `ulimit -f`, in bytes. */
const BLOCK_BYTES = 512;
const MAX_HELP_BYTES = 1024 * 1024;
const run = promisify(execFile);

/**
 * Creates the converter that the setting names, and runs it with `--help` at once, to find out whether it works. Throws a
 * SettingsError if the setting names a missing file or program.
 */
export function createConverter(setting: string | undefined, options: Options): GgufConverter {
  if (setting === undefined) return NO_CONVERTER;
  const context = { ...options, converter: findConverter(setting, options.path) };
  const problem = findProblem(context);
  return {
    isSetUp: true,
    findProblem: () => problem,
    convert: (conversion, signal) => convert(context, conversion, signal),
  };
}

async function findProblem({ converter, sandbox, hidden, log }: Context): Promise<string | null> {
  const { command, args, folders } = converter;
  const help = [...args, "--help"];
  const files = { programs: folders, hidden, readable: [], writable: [] };
  const [program, programArguments] =
    sandbox.state === "on" ? withProgramSandbox(command, help, files) : ([command, help] as const);
  const options = {
    ...chooseEngineAccount(converter.files),
    env: createConverterEnvironment("/tmp"),
    cwd: "/",
    timeout: CHECK_TIME_LIMIT_MS,
    maxBuffer: MAX_HELP_BYTES,
  };
  try {
    const { stdout } = await run(program, programArguments, options);
    if (stdout.includes("--outtype")) return null;
    throw new Error("its help names no --outtype");
  } catch (error) {
    const problem = `The converter of FEATHER_GGUF_CONVERTER does not run: ${explain(error)}`;
    log.warn(problem);
    return problem;
  }
}

/** Returns the last output of a program that failed, or the error's message. */
function explain(error: unknown): string {
  const log = createConverterLog();
  const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  for (const line of output.split("\n")) log.add(line);
  return log.lastWords() || (error instanceof Error ? error.message : String(error));
}

async function convert(context: Context, conversion: Conversion, signal: AbortSignal): Promise<void> {
  const { timeLimitMs = CONVERSION_TIME_LIMIT_MS } = context;
  const { output } = conversion;
  signal.throwIfAborted();
  const account = prepareOutput(context, conversion);
  const child = spawnConverter(context, conversion, account);
  const log = createConverterLog();
  forEachLine(child.stderr, (line) => {
    log.add(line);
    const share = readConvertedShare(line);
    if (share !== null) conversion.onProgress(share);
  });
  child.stdout.resume();
  const stop = () => child.stdin.end();
  signal.addEventListener("abort", stop, { once: true });
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    stop();
  }, timeLimitMs);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (isTooLate) throw new ConversionFailedError(`It took longer than ${timeLimitMs / HOUR_MS} hours.`);
  if (status !== 0) throw new ConversionFailedError(log.lastWords() || `It ended with status ${status}.`);
  takeOver(output, log.lastWords());
}

/** Creates the folder of the output, owned by the account that the converter runs as. Returns that account. */
function prepareOutput({ converter }: Context, { folder, output }: Conversion): Account {
  const files = [process.execPath, STOP_WITH_STDIN, ...converter.files, join(folder, "config.json")];
  mkdirSync(dirname(output), { recursive: true });
  const account = chooseEngineAccount(files);
  chownTo(account, dirname(output));
  return account;
}

function spawnConverter(
  { converter: { command, args, folders }, sandbox, hidden }: Context,
  { folder, output, maxBytes }: Conversion,
  account: Account,
) {
  const all = [...args, folder, "--outfile", output, "--outtype", "q8_0"];
  const files = { programs: folders, hidden, readable: [folder], writable: [dirname(output)] };
  const isSandboxed = sandbox.state === "on";
  const [program, programArguments] = withFileLimit(
    ...(isSandboxed ? withProgramSandbox(command, all, files) : ([command, all] as const)),
    maxBytes,
  );
  return spawnOwned(program, programArguments, {
    account,
    cwd: "/",
    env: createConverterEnvironment(isSandboxed ? "/tmp" : dirname(output)),
    graceMs: GRACE_MS,
  });
}

/** Returns a command that runs another one with a limit on the size of the files that it writes, and without core dumps. */
function withFileLimit(command: string, args: readonly string[], maxBytes: number): [string, string[]] {
  const blocks = Math.ceil(maxBytes / BLOCK_BYTES);
  return ["/bin/sh", ["-c", `ulimit -c 0; ulimit -f ${blocks}; exec "$@"`, "sh", command, ...args]];
}

/** Returns an environment without settings of the server, in which Python's libraries cannot contact the hub. */
function createConverterEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    ...createEngineEnvironment(home),
    TMPDIR: home,
    HF_HUB_OFFLINE: "1",
    TRANSFORMERS_OFFLINE: "1",
    HF_HUB_DISABLE_TELEMETRY: "1",
    PYTHONUNBUFFERED: "1",
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONIOENCODING: "utf-8",
  };
}

/** Makes the server the owner of the file. Throws if the converter has not written it. */
function takeOver(output: string, lastWords: string): void {
  const isWritten = (statSync(output, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isWritten) throw new ConversionFailedError(`It wrote no file. ${lastWords}`.trim());
  if (isRoot()) chownSync(output, 0, 0);
}
