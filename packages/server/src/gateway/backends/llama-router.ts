import { isRecord } from "../usage/reported-usage.ts";

/**
 * What a llama-server that runs several models says of one: whether it is in memory, and, from the arguments with which it is
 * or will be started, the context of one call in tokens and the names of its file and repository.
 */
export type RouterFacts = {
  readonly isLoaded: boolean;
  readonly contextLength: number | null;
  readonly names: readonly string[];
};

const CONTEXT_FLAGS = ["-c", "-ctx", "--ctx-size"];
const CALLS_FLAGS = ["-np", "--parallel"];
const SHARED_CONTEXT_FLAGS = ["-kvu", "--kv-unified"];
const NAME_FLAGS = ["-m", "--model", "-hf", "-hfr", "--hf-repo"];

/** Reads the status of a model in a router's list; null in the list of another program. */
export function readRouterFacts({ status }: Record<string, unknown>): RouterFacts | null {
  if (!isRecord(status) || typeof status.value !== "string") return null;
  const args = Array.isArray(status.args) ? status.args.map(String) : [];
  return {
    isLoaded: status.value === "loaded",
    contextLength: readContext(args),
    names: NAME_FLAGS.flatMap((flag) => findValue(args, [flag]) ?? []),
  };
}

/** Without `--kv-unified`, the calls that are answered at the same time share the context equally. */
function readContext(args: readonly string[]): number | null {
  const total = toCount(findValue(args, CONTEXT_FLAGS));
  const calls = toCount(findValue(args, CALLS_FLAGS)) ?? 1;
  const isShared = args.some((arg) => SHARED_CONTEXT_FLAGS.includes(arg));
  return total === null || isShared ? total : Math.floor(total / calls) || null;
}

/** Returns the value of the last of these flags, which is the one that counts. */
function findValue(args: readonly string[], flags: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => flags.includes(arg));
  return at < 0 ? undefined : args[at + 1];
}

/** Returns a number above 0; null for 0, by which the model decides, and for anything else. */
function toCount(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
