import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { choosePythonAccount, prepareCacheFolder } from "./processes/python-program.ts";
import type { IsKnownArchitecture } from "./runtime.ts";

/** Importing such a program imports PyTorch, which takes long from a slow disk. */
const TIME_LIMIT_MS = 2 * MINUTE_MS;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const run = promisify(execFile);

type Options = {
  /** What the program is called in the log, such as `vLLM`. */
  name: string;
  /** The path of its command. */
  command: string;
  /** A program in Python that prints the names of the architectures as JSON, on the last line. */
  question: string;
  /** The folder for what it compiles. */
  cacheFolder: string;
  env: NodeJS.ProcessEnv;
  log: Pick<Logger, "warn">;
};

/**
 * Returns a function that returns whether a program in Python knows an architecture, such as `Qwen3ForCausalLM`. The Python
 * that the program is installed in is asked once, immediately. If that fails, the result is true: the program reports an
 * unknown architecture when it starts.
 */
export function createPythonArchitectureCheck({ name, log, ...options }: Options): IsKnownArchitecture {
  const answer = listArchitectures(options).catch((error: unknown) => {
    log.warn({ err: error }, `${name} does not say which architectures it knows`);
    return null;
  });
  return async (architecture) => (await answer)?.has(architecture) ?? true;
}

/** Returns the architectures that the program knows; null if its command is not a Python script. */
async function listArchitectures({
  command,
  question,
  cacheFolder,
  env,
}: Omit<Options, "name" | "log">): Promise<ReadonlySet<string> | null> {
  const python = findInterpreter(readFileSync(command, "latin1"));
  if (python === null) return null;
  const [program = "", ...args] = python;
  const account = choosePythonAccount(command, cacheFolder);
  prepareCacheFolder(cacheFolder, account);
  const { stdout } = await run(program, [...args, "-c", question], {
    ...account,
    env,
    cwd: "/",
    timeout: TIME_LIMIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  // Such programs log to standard output too.
  const names: unknown = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  if (!Array.isArray(names)) throw new Error(`It printed ${stdout.slice(-200)}`);
  return new Set(names.filter((name) => typeof name === "string"));
}

/**
 * Returns the Python that runs a script, with its arguments, from the script's first line, or from its second line if the
 * path is too long for the first.
 */
function findInterpreter(script: string): string[] | null {
  const [first = "", second = ""] = script.split("\n", 2);
  const long = /^'''exec' "?([^"]+?)"? "\$0" "\$@"$/.exec(second)?.[1];
  const words = long === undefined ? (/^#!\s*(.+)$/.exec(first)?.[1]?.trim().split(/\s+/) ?? []) : [long];
  return words.some((word) => basename(word).startsWith("python")) ? words : null;
}
