import type { FlagValues } from "./command.ts";
import type { Context } from "./context.ts";
import { InterruptedError, WaitTimeoutError, WorkFailedError } from "./errors.ts";
import { durationText } from "./output/time.ts";

/** `--wait` and `--timeout` of a command that declares `waits`. */
export type Waiting = { readonly wait: boolean; readonly timeout: number };

/** How work that goes on elsewhere stands. */
export type Standing = {
  /** One word or two; a new one begins a new line: `weights`. */
  readonly state: string;
  readonly detail?: string;
  /** How much of this state is done, from 0 to 1. */
  readonly share?: number;
  /** Set when the work has ended. */
  readonly ended?: "well" | "badly";
};

const PATIENCE = 15 * 60_000;
const SHORTEST = 1000;
const LONGEST = 5000;

/** What waiting needs of a context. */
type Waited = Pick<Context, "now" | "sleep" | "signal"> & {
  readonly output: Pick<Context["output"], "progress" | "say">;
};

export function waitingOf(flags: FlagValues, patience: number = PATIENCE): Waiting {
  const timeout = typeof flags.timeout === "number" ? flags.timeout : patience;
  return { wait: flags.wait === true || typeof flags.timeout === "number", timeout };
}

/**
 * Looks at work until it has ended, and shows each change on stderr. Throws `WorkFailedError` when it ended badly, and
 * `WaitTimeoutError` when the time is over; the work goes on then, and after Ctrl-C, and `resume` says how to look again.
 */
export async function waitFor<Work>(
  context: Waited,
  work: {
    /** What is waited for, at the beginning of a sentence: `support-bot`. */
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
        if (standing.ended === "well") return found.work;
        if (standing.ended === "badly")
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

/** A server that is away for a moment is no reason to stop waiting: work goes on without it, or comes back with it. */
async function lookAgain<Work>(look: () => PromiseLike<Work>): Promise<{ readonly work: Work } | undefined> {
  try {
    return { work: await look() };
  } catch (error) {
    const { ConnectionError, TimeoutError, ServerError } = await import("@feather/sdk");
    if ([ConnectionError, TimeoutError, ServerError].some((passing) => error instanceof passing)) return undefined;
    throw error;
  }
}
