/** What vLLM puts before a line: the process that wrote it, the level, the time and the place in its source. */
const PREFIX =
  /^(?:\([^()]*pid=\d+[^()]*\)\s*)*(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[[^\]]+\]\s*)?/;
const SHARDS_LOADED = /Loading \w+ checkpoint shards:\s+(\d{1,3})% Completed/;
/** An exception of Python with its message, as the last line of a traceback. */
const EXCEPTION = /^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): \S/;
/** How a setting that is not valid is reported: by a line of its own, after the exception. */
const INVALID_VALUE = /^\s*Value error, (.+)$/;
const WRONG_ARGUMENTS = /^\S*vllm\S*(?: serve)?: error: (.+)$/;
/** Exceptions that only say that another process of vLLM has failed. */
const CONSEQUENCES = /Engine core initialization failed|EngineDeadError|EngineCore encountered an issue/;
const MAX_REASON_LENGTH = 500;

/** Finds out from the lines of vLLM's log why it ended. */
export type VllmLog = {
  add(line: string): void;
  /** The cause that it named last, else its last line; empty if it wrote nothing. */
  lastWords(): string;
};

/** Returns which share of the weights has been read, from 0 to 1, if a line of the log says it; null otherwise. */
export function readLoadingShare(line: string): number | null {
  const percent = SHARDS_LOADED.exec(line)?.[1];
  return percent === undefined ? null : Math.min(Number(percent), 100) / 100;
}

/** Creates a reader of one run's log. */
export function createVllmLog(): VllmLog {
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
  // The rest is a list of some hundred names, and the values that were checked.
  if (invalid !== undefined) return invalid.replace(/ (?:Supported architectures: |\[type=).*$/, "");
  const wrong = WRONG_ARGUMENTS.exec(text)?.[1];
  if (wrong !== undefined) return wrong;
  return EXCEPTION.test(text) && !CONSEQUENCES.test(text) ? text : null;
}
