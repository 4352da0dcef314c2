import { setImmediate } from "node:timers/promises";

/**
 * Runs an action that gives the terminal to another program, and returns its result. This program reads no input during
 * that time: if two programs read the terminal, each would get some of the keys.
 */
export async function releaseInput<T>(
  stdin: Pick<NodeJS.ReadableStream, "pause">,
  action: () => Promise<T>,
): Promise<T> {
  // A stream whose listener was removed just now is paused only in the next turn of the event loop.
  await setImmediate();
  stdin.pause();
  return action();
}
