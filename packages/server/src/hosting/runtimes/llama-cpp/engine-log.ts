/** Reads the standard error of an engine. */
export type EngineLog = {
  /** Adds a line. Returns its text without the engine's name. */
  add(line: string): string;
  /** Returns the first driver error, or else the engine's last own line, or else the last line; empty without output. */
  lastWords(): string;
};

const MAX_LINE_LENGTH = 2_000;
const OWN_PREFIX = /^feather-engine: /;
/** Matches errors of a graphics card's driver. After one, llama.cpp prints details and ends. */
const DRIVER_ERROR = /^llama\.cpp error: (\w+ error: .+)/;

/**
 * Creates the reader of an engine's output. An error of a graphics card's driver is kept as the reason: the lines after it
 * are the source position and the C++ stack, which do not begin with the engine's name.
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
