import type { ProgramLog } from "./watched-process.ts";

/** What is particular to the log of a program in Python. */
export type PythonLogForm = {
  /** Matches the prefix of a line, such as the process, the level and the time. */
  prefix: RegExp;
  /** Matches the report of wrong arguments, with the fault as the first group. */
  wrongArguments: RegExp;
  /** Matches exceptions that only report the failure of another process of the program. */
  consequences: RegExp;
};

const SHARDS_LOADED = /Loading \w+ checkpoint shards:\s+(\d{1,3})% Completed/;
/** Matches a Python exception with its message, which is the last line of a traceback. */
const EXCEPTION = /^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): \S/;
/** Matches the report of an invalid setting, on a separate line after the exception. */
const INVALID_VALUE = /^\s*Value error, (.+)$/;
/** The rest of such a report is a list of hundreds of names, or the validated values. */
const LONG_REST = / (?:Supported architectures: |\[type=).*$/;
const MAX_REASON_LENGTH = 500;

/** Returns the share of the weights that has been read, 0 to 1, from a progress line; null for other lines. */
export function readLoadingShare(line: string): number | null {
  const percent = SHARDS_LOADED.exec(line)?.[1];
  return percent === undefined ? null : Math.min(Number(percent), 100) / 100;
}

/** Creates a reader of one run's log. */
export function createPythonLog(form: PythonLogForm): ProgramLog {
  let cause = "";
  let lastLine = "";
  return {
    add(line) {
      const text = line.replace(form.prefix, "").trimEnd();
      if (text.trim() === "") return;
      lastLine = text;
      cause = findCause(text, form) ?? cause;
    },
    lastWords: () => (cause || lastLine).trim().slice(0, MAX_REASON_LENGTH),
  };
}

function findCause(text: string, { wrongArguments, consequences }: PythonLogForm): string | null {
  const invalid = INVALID_VALUE.exec(text)?.[1];
  if (invalid !== undefined) return invalid.replace(LONG_REST, "");
  const wrong = wrongArguments.exec(text)?.[1];
  if (wrong !== undefined) return wrong;
  return EXCEPTION.test(text) && !consequences.test(text) ? text.replace(LONG_REST, "") : null;
}
