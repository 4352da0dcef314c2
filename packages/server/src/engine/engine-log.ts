/** What an engine has written to its standard error so far. */
export type EngineLog = {
  /** Adds a line, and returns what it says without the engine's name. */
  add(line: string): string;
  /** Why it ended, as far as its lines say it; empty if there is none. */
  lastWords(): string;
};

const MAX_LINE_LENGTH = 2_000;
const OWN_PREFIX = /^feather-engine: /;
/** Errors of the driver of a graphics card, after which llama.cpp prints details and ends. */
const DRIVER_ERROR = /^llama\.cpp error: (\w+ error: .+)/;

/**
 * Collects the lines of an engine. An error of a graphics card's driver says more than what follows it: where it happened,
 * and the stack of the C++ program, whose lines do not begin with the engine's name.
 */
export function createEngineLog(): EngineLog {
  let driverError = "";
  let lastOwnLine = "";
  let lastLine = "";
  return {
    add(line) {
      const text = line.replace(OWN_PREFIX, "").slice(0, MAX_LINE_LENGTH);
      driverError ||= DRIVER_ERROR.exec(text)?.[1] ?? "";
      if (OWN_PREFIX.test(line)) lastOwnLine = text;
      lastLine = text;
      return text;
    },
    lastWords: () => driverError || lastOwnLine || lastLine,
  };
}
