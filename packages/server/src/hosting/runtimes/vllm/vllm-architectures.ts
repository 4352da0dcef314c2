import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import type { IsKnownArchitecture } from "../runtime.ts";
import { chooseVllmAccount, createVllmEnvironment, prepareVllmFolder, vllmFolder } from "./vllm-environment.ts";

/** Importing vLLM imports PyTorch, which takes long from a slow disk. */
const TIME_LIMIT_MS = 2 * MINUTE_MS;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** Prints the architectures that vLLM and its plugins implement, and those of the library `transformers`, vLLM's fallback. */
const QUESTION = `
import json, transformers
from vllm import ModelRegistry
from vllm.plugins import load_general_plugins
load_general_plugins()
others = [name for name in dir(transformers) if name.endswith(("ForCausalLM", "ForConditionalGeneration"))]
print("\\n" + json.dumps([*ModelRegistry.get_supported_archs(), *others]))
`;
const run = promisify(execFile);

type Options = {
  /** The path of the command `vllm`. */
  command: string;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  log: Pick<Logger, "warn">;
};

/**
 * Returns a function that returns whether vLLM knows an architecture, such as `Qwen3ForCausalLM`. The Python that vLLM is
 * installed in is asked once, immediately. If that fails, the result is true: vLLM reports an unknown architecture when it
 * starts.
 */
export function createVllmArchitectureCheck({ command, dataDir, log }: Options): IsKnownArchitecture {
  const answer = listArchitectures(command, vllmFolder(dataDir)).catch((error: unknown) => {
    log.warn({ err: error }, "vLLM does not say which architectures it knows");
    return null;
  });
  return async (architecture) => (await answer)?.has(architecture) ?? true;
}

/** Returns the architectures that vLLM knows; null if its command is not a Python script. */
async function listArchitectures(command: string, cacheFolder: string): Promise<ReadonlySet<string> | null> {
  const python = findInterpreter(readFileSync(command, "latin1"));
  if (python === null) return null;
  const [program = "", ...args] = python;
  const account = chooseVllmAccount(command, cacheFolder);
  prepareVllmFolder(cacheFolder, account);
  const { stdout } = await run(program, [...args, "-c", QUESTION], {
    ...account,
    env: createVllmEnvironment(cacheFolder),
    cwd: "/",
    timeout: TIME_LIMIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  // vLLM logs to standard output too.
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
