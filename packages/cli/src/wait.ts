import type { FlagValues } from "./command-line.ts";
import type { Context } from "./context.ts";
import { InterruptedError, WaitTimeoutError, WorkFailedError } from "./errors.ts";
import type { Amount } from "./output/rate.ts";
import { formatDuration } from "./output/time.ts";
import { followUpdates } from "./wait-updates.ts";

/** `--wait` and `--timeout` of a command with `waits`; the timeout is in milliseconds. */
export type WaitOptions = { readonly wait: boolean; readonly timeout: number };

/** The status of work on the server. */
export type WorkStatus = {
  /** One or two words, such as `weights`; a new state starts a new line of progress. */
  readonly state: string;
  readonly detail?: string;
  /** The completed part of this state, from 0 to 1. */
  readonly fraction?: number;
  /** How much of it is done, from which follow the rate and the time left. */
  readonly amount?: Amount;
  /** Set when the work has ended. */
  readonly outcome?: "succeeded" | "failed";
  /** The command that helps when it failed, where that is not the one that waits again. */
  readonly remedy?: string;
};

const DEFAULT_TIMEOUT_MS = 15 * 60_000;
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5000;
/** Without an update for so long, the work is polled: the connection may be gone unnoticed. */
const MAX_SILENCE_MS = 30_000;

/** The parts of a context that waiting needs. */
type WaitContext = Pick<Context, "now" | "sleep" | "signal"> & {
  readonly output: Pick<Context["output"], "progress" | "info">;
};

/** Parses `--wait` and `--timeout`. A timeout alone implies `--wait`. */
export function parseWaitOptions(flags: FlagValues, defaultTimeoutMs: number = DEFAULT_TIMEOUT_MS): WaitOptions {
  const timeout = typeof flags.timeout === "number" ? flags.timeout : defaultTimeoutMs;
  return { wait: flags.wait === true || typeof flags.timeout === "number", timeout };
}

/**
 * Polls work until it has ended, shows each change on stderr, and returns the finished work. While the server sends updates
 * of it, those are shown instead. Throws `WorkFailedError` when it failed, and `WaitTimeoutError` after the timeout. After a timeout and Ctrl-C the work continues, and `resume` is the
 * command that waits for it again.
 */
export async function waitFor<Work>(
  context: WaitContext,
  work: {
    /** Name of the work, for the start of a sentence: `support-bot`. */
    readonly name: string;
    readonly timeout: number;
    readonly resume: string;
    poll(): PromiseLike<Work>;
    /** What the server sends of the work, at once and when it changes; undefined for what does not concern it. */
    updates?(signal: AbortSignal): AsyncIterable<Work | undefined>;
    status(work: Work): WorkStatus;
  },
): Promise<Work> {
  const { now, signal, output } = context;
  const startedAt = now().getTime();
  const progress = output.progress(work.name);
  const updates = followUpdates(work.updates?.bind(work), signal);
  let state = "not yet begun";
  let heardAt = startedAt;
  try {
    for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
      const update = updates.take();
      const isPolled = update === undefined && !(updates.isComplete() && now().getTime() - heardAt < MAX_SILENCE_MS);
      const sawPoll = updates.beginPoll();
      const found = isPolled ? await pollOnce(work.poll) : update;
      if (found !== undefined) {
        heardAt = now().getTime();
        if (isPolled) sawPoll();
        const status = work.status(found.work);
        state = status.state;
        progress.update(status);
        // The work is then asked for, so that the result is the same whether there are updates or not.
        if (update !== undefined && status.outcome !== undefined) {
          updates.stop();
          continue;
        }
        if (status.outcome === "succeeded") return found.work;
        if (status.outcome === "failed")
          throw new WorkFailedError(
            `${work.name} ended as ${state}${status.detail ? `: ${status.detail}` : ""}`,
            status.remedy ?? work.resume,
          );
      }
      const remainingMs = work.timeout - (now().getTime() - startedAt);
      if (remainingMs <= 0)
        throw new WaitTimeoutError(
          `${work.name} is ${state} after ${formatDuration(now().getTime() - startedAt)}; the work goes on`,
          work.resume,
        );
      await sleepUntilUpdate(context, Math.min(pause, remainingMs), updates.changed());
    }
  } catch (error) {
    progress.end();
    if (error instanceof InterruptedError) output.info(`The work goes on. Look again: ${work.resume}`);
    throw error;
  } finally {
    updates.stop();
    progress.end();
  }
}

/** Waits for some milliseconds, or until there is an update. Throws `InterruptedError` when the signal aborts. */
async function sleepUntilUpdate({ sleep, signal }: WaitContext, milliseconds: number, changed: Promise<void>) {
  const woken = new AbortController();
  const slept = sleep(milliseconds, AbortSignal.any([signal, woken.signal]));
  try {
    await Promise.race([slept, changed]);
  } finally {
    woken.abort();
    slept.catch(() => {}); // it is interrupted, and its outcome is not needed any more
  }
}

/** Polls once; undefined when the server is unreachable or fails, because the work may continue nevertheless. */
async function pollOnce<Work>(poll: () => PromiseLike<Work>): Promise<{ readonly work: Work } | undefined> {
  try {
    return { work: await poll() };
  } catch (error) {
    const { ConnectionError, TimeoutError, ServerError } = await import("@feather/sdk");
    if ([ConnectionError, TimeoutError, ServerError].some((errorClass) => error instanceof errorClass))
      return undefined;
    throw error;
  }
}
