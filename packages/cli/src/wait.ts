import type { FlagValues } from "./command.ts";
import type { Context } from "./context.ts";
import { InterruptedError, WaitTimeoutError, WorkFailedError } from "./errors.ts";
import { durationText } from "./output/time.ts";

/** `--wait` and `--timeout` of a command with `waits`; the timeout is in milliseconds. */
export type Waiting = { readonly wait: boolean; readonly timeout: number };

/** The status of work on the server. */
export type Standing = {
  /** One or two words, such as `weights`; a new state starts a new line of progress. */
  readonly state: string;
  readonly detail?: string;
  /** The completed part of this state, from 0 to 1. */
  readonly share?: number;
  /** Set when the work has ended. */
  readonly ended?: "succeeded" | "failed";
};

const PATIENCE = 15 * 60_000;
const SHORTEST = 1000;
const LONGEST = 5000;

/** The parts of a context that waiting needs. */
type Waited = Pick<Context, "now" | "sleep" | "signal"> & {
  readonly output: Pick<Context["output"], "progress" | "say">;
};

/** Parses `--wait` and `--timeout`. A timeout alone implies `--wait`. */
export function waitingOf(flags: FlagValues, patience: number = PATIENCE): Waiting {
  const timeout = typeof flags.timeout === "number" ? flags.timeout : patience;
  return { wait: flags.wait === true || typeof flags.timeout === "number", timeout };
}

/**
 * Polls work until it has ended, shows each change on stderr, and returns the finished work. Throws `WorkFailedError` when
 * it failed, and `WaitTimeoutError` after the timeout. After a timeout and Ctrl-C the work continues, and `resume` is the
 * command that waits for it again.
 */
export async function waitFor<Work>(
  context: Waited,
  work: {
    /** Name of the work, for the start of a sentence: `support-bot`. */
    readonly name: string;
    readonly timeout: number;
    readonly resume: string;
    look(): PromiseLike<Work>;
    standing(work: Work): Standing;
  },
): Promise<Work> {
  const { now, sleep, signal, output } = context;
  const began = now().getTime();
  const progress = output.progress(work.name);
  let state = "not yet begun";
  try {
    for (let pause = SHORTEST; ; pause = Math.min(pause * 1.5, LONGEST)) {
      const found = await lookAgain(work.look);
      if (found !== undefined) {
        const standing = work.standing(found.work);
        state = standing.state;
        progress.at(standing);
        if (standing.ended === "succeeded") return found.work;
        if (standing.ended === "failed")
          throw new WorkFailedError(
            `${work.name} ended as ${state}${standing.detail ? `: ${standing.detail}` : ""}`,
            work.resume,
          );
      }
      const left = work.timeout - (now().getTime() - began);
      if (left <= 0)
        throw new WaitTimeoutError(
          `${work.name} is ${state} after ${durationText(now().getTime() - began)}; the work goes on`,
          work.resume,
        );
      await sleep(Math.min(pause, left), signal);
    }
  } catch (error) {
    progress.end();
    if (error instanceof InterruptedError) output.say(`The work goes on. Look again: ${work.resume}`);
    throw error;
  } finally {
    progress.end();
  }
}

/** Polls once; undefined when the server is unreachable or fails, because the work may continue nevertheless. */
async function lookAgain<Work>(look: () => PromiseLike<Work>): Promise<{ readonly work: Work } | undefined> {
  try {
    return { work: await look() };
  } catch (error) {
    const { ConnectionError, TimeoutError, ServerError } = await import("@feather/sdk");
    if ([ConnectionError, TimeoutError, ServerError].some((passing) => error instanceof passing)) return undefined;
    throw error;
  }
}
