import type { ProgramLog } from "../processes/watched-process.ts";

/** Matches the prefix of a line of vLLM: the process, the level, the time and the source position. */
const PREFIX =
  /^(?:\([^()]*pid=\d+[^()]*\)\s*)*(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[[^\]]+\]\s*)?/;
const SHARDS_LOADED = /Loading \w+ checkpoint shards:\s+(\d{1,3})% Completed/;
/** Matches a Python exception with its message, which is the last line of a traceback. */
const EXCEPTION = /^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): \S/;
/** Matches the report of an invalid setting, on a separate line after the exception. */
const INVALID_VALUE = /^\s*Value error, (.+)$/;
const WRONG_ARGUMENTS = /^\S*vllm\S*(?: serve)?: error: (.+)$/;
/** Matches exceptions that only report the failure of another process of vLLM. */
const CONSEQUENCES = /Engine core initialization failed|EngineDeadError|EngineCore encountered an issue/;
const MAX_REASON_LENGTH = 500;

/** Returns the share of the weights that has been read, 0 to 1, from a progress line; null for other lines. */
export function readLoadingShare(line: string): number | null {
  const percent = SHARDS_LOADED.exec(line)?.[1];
  return percent === undefined ? null : Math.min(Number(percent), 100) / 100;
}

/** Creates a reader of one run's log. */
export function createVllmLog(): ProgramLog {
  let cause = "";
  let lastLine = "";
  return {
    add(line) {
      const text = line.replace(PREFIX, "").trimEnd();
      if (text.trim() === "") return;
      lastLine = text;
      cause = findCause(text) ?? cause;
    },
    lastWords: () => (cause || lastLine).trim().slice(0, MAX_REASON_LENGTH),
  };
}

function findCause(text: string): string | null {
  const invalid = INVALID_VALUE.exec(text)?.[1];
  // The rest is a list of hundreds of names, or the validated values.
  if (invalid !== undefined) return invalid.replace(/ (?:Supported architectures: |\[type=).*$/, "");
  const wrong = WRONG_ARGUMENTS.exec(text)?.[1];
  if (wrong !== undefined) return wrong;
  return EXCEPTION.test(text) && !CONSEQUENCES.test(text) ? text : null;
}
