import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "../platform/core/errors/message-of.ts";

/** The error for a wrong command line. */
export class UsageError extends Error {}

/** Parses the command line. Throws a UsageError if it does not match the options. */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Runs a command for operators and sets the exit code: the one that the command returns, 2 for a UsageError, or 1 for any
 * other error, whose message is printed.
 */
export function runCommand(command: () => Promise<number>): void {
  command().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${messageOf(error)}\n`);
      process.exitCode = error instanceof UsageError ? 2 : 1;
    },
  );
}

/**
 * Returns a signal that aborts, with a message as its reason, when SIGINT or SIGTERM stops the command. The second such
 * signal ends the process at once.
 */
export function abortOnStop(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => controller.abort(new Error(`Stopped by ${signal}. Nothing was changed.`)));
  return controller.signal;
}

/** Yields the values of the source. Throws the signal's reason once the signal is aborted. */
export async function* untilStopped<T>(source: AsyncIterable<T>, stopped: AbortSignal): AsyncGenerator<T> {
  for await (const item of source) {
    stopped.throwIfAborted();
    yield item;
  }
}
