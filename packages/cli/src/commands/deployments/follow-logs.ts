import type { DeploymentLogLine } from "@feather/sdk";

/** What following depends on. Times are in milliseconds. */
export type FollowOptions = {
  /** Opens a stream that begins with earlier lines: those that were asked for, or all that are kept after a lost connection. */
  open(isReconnect: boolean): Promise<AsyncIterable<DeploymentLogLine>>;
  /** Returns whether the deployment was deleted, so that no lines follow. */
  isGone(): Promise<boolean>;
  /** Returns whether a failed request may succeed later. */
  isTemporary(error: unknown): boolean;
  /** Waits before the next attempt. Throws when the person leaves. */
  pause(milliseconds: number): Promise<void>;
  /** Reports that the connection was lost, with the error if there is one, and how long the pause is. */
  onLost(error: unknown, pauseMs: number): void;
  /** Reports that lines come again. */
  onReconnected(): void;
  readonly minPauseMs: number;
  readonly maxPauseMs: number;
};

/** Yields the lines of a deployment, also after lost connections and each once, until the deployment is gone. */
export async function* followLogs(options: FollowOptions): AsyncGenerator<DeploymentLogLine, void, undefined> {
  const filter = createLineFilter();
  let stream: AsyncIterable<DeploymentLogLine> | undefined = await options.open(false);
  for (let pauseMs = options.minPauseMs; ; ) {
    let cause: unknown;
    try {
      if (stream === undefined) {
        stream = await options.open(true);
        options.onReconnected();
        pauseMs = options.minPauseMs;
        filter.restart();
      }
      for await (const line of stream) if (filter.isNew(line)) yield line;
      if (await options.isGone()) return;
    } catch (error) {
      if (!options.isTemporary(error)) throw error;
      cause = error;
    }
    stream = undefined;
    options.onLost(cause, pauseMs);
    await options.pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, options.maxPauseMs);
  }
}

/**
 * Creates a filter of lines that were seen before. A stream after a lost connection repeats them: those before the last time
 * stamp, and with it those that were seen.
 */
function createLineFilter() {
  let latest = Number.NEGATIVE_INFINITY;
  let seenAtLatest: string[] = [];
  let repeatedUntil = Number.NEGATIVE_INFINITY;
  let repeated: string[] = [];

  /** Notes a line as seen. */
  function note(at: number, text: string): void {
    if (at > latest) [latest, seenAtLatest] = [at, []];
    if (at === latest) seenAtLatest.push(text);
  }
  return {
    /** Says that a stream begins, which may repeat lines. */
    restart(): void {
      repeatedUntil = latest;
      repeated = [...seenAtLatest];
    },
    /** Returns whether a line was not seen before, and notes it as seen. */
    isNew(line: DeploymentLogLine): boolean {
      const at = new Date(line.logged_at).getTime();
      const text = JSON.stringify([line.replica, line.text]);
      const index = at === repeatedUntil ? repeated.indexOf(text) : -1;
      if (index !== -1) repeated.splice(index, 1);
      const isNew = at >= repeatedUntil && index === -1;
      if (isNew) note(at, text);
      return isNew;
    },
  };
}
