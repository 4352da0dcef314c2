import { type ParseArgsConfig, parseArgs } from "node:util";

/** A command line that a command does not understand. */
export class UsageError extends Error {}

/** Reads the command line. Throws a UsageError for one that the options do not describe. */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Runs a command for operators and sets the exit code: the one it returns, 2 for a UsageError, or 1 for any other error,
 * whose message is printed.
 */
export function runCommand(command: () => Promise<number>): void {
  command().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = error instanceof UsageError ? 2 : 1;
    },
  );
}
