import type { ProgramLog } from "../processes/watched-process.ts";

/** Matches the prefix of a line: the time since the start and the level, which older versions do not print. */
const PREFIX = /^(?:\d+\.\d\d\.\d{3}\.\d{3} )?(?:[DIWE] )?/;
/** Matches the line with which loading ends, after which others only repeat that it failed. */
const LOADING_ERROR = /error loading model: (?:error loading model[^:]*: )?(.+)$/;
/** Matches errors of drivers and libraries, of the arguments, and of the files. */
const OTHER_ERRORS =
  /^(?:.*\b(?:cudaMalloc failed|out of memory|ErrorOutOfDeviceMemory|failed to allocate)\b.*|.*error while loading shared libraries: .+|error: .+|\w+ error: .+|.*\bclip_init: (?:error|failed).+|.*couldn't bind HTTP server socket.*)$/i;
const MAX_REASON_LENGTH = 500;

/** Creates a reader of one run's log. */
export function createLlamaServerLog(): ProgramLog {
  let cause = "";
  let lastLine = "";
  return {
    add(line) {
      const text = line.replace(PREFIX, "").trim();
      if (text === "") return;
      lastLine = text;
      // The first cause leads to the others.
      cause ||= findCause(text) ?? "";
    },
    lastWords: () => (cause || lastLine).slice(0, MAX_REASON_LENGTH),
  };
}

function findCause(text: string): string | null {
  return LOADING_ERROR.exec(text)?.[1] ?? (OTHER_ERRORS.test(text) ? text : null);
}
