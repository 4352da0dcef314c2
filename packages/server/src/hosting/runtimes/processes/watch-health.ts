import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../../platform/core/time.ts";

/** The intervals of health checks, and the times after which a process counts as hanging, in milliseconds. */
export type WatchTimes = {
  /** The interval of requests until the process is ready. */
  startPollMs: number;
  /** A starting process that writes nothing for this long counts as hanging. */
  startSilenceMs: number;
  /** The interval of requests after the process is ready. */
  pollMs: number;
  /** A request without a response for this long has failed. */
  answerMs: number;
};

/** The times for vLLM, which loads and compiles for minutes and reports its progress meanwhile. */
export const DEFAULT_WATCH_TIMES: WatchTimes = {
  startPollMs: 500,
  startSilenceMs: 20 * MINUTE_MS,
  pollMs: 15_000,
  answerMs: 10_000,
};
const FAILURES_TO_HANG = 4;

type Listener = {
  /** Called when the process responds for the first time. */
  ready(): void;
  /** Called when the process does not respond, although it has not ended. */
  hangs(problem: string): void;
};

/** The health checks of one run of a process. */
export type HealthWatch = {
  /** Records that the process wrote a line, so that it does not count as hanging. */
  sawLine(): void;
  stop(): void;
};

/**
 * Requests `GET /health` from a process on its socket until it is ready, and then regularly, to notice when it stops
 * responding.
 */
export function watchHealth(socketPath: string, times: WatchTimes, { ready, hangs }: Listener): HealthWatch {
  const { startPollMs, startSilenceMs, pollMs, answerMs } = times;
  const stopped = new AbortController();
  const { signal } = stopped;
  let lastLineAt = performance.now();

  async function watch(): Promise<void> {
    while (!(await isHealthy(socketPath, answerMs, signal))) {
      if (performance.now() - lastLineAt > startSilenceMs)
        return hangs(`It wrote nothing for ${inWords(startSilenceMs)} while it started.`);
      await sleep(startPollMs, undefined, { signal });
    }
    if (signal.aborted) return;
    ready();
    for (let failures = 0; failures < FAILURES_TO_HANG; ) {
      await sleep(pollMs, undefined, { signal });
      failures = (await isHealthy(socketPath, answerMs, signal)) ? 0 : failures + 1;
    }
    hangs(`It did not answer for ${inWords(FAILURES_TO_HANG * pollMs)}.`);
  }

  // The promise rejects when the watch is stopped.
  watch().catch(() => {});
  return {
    sawLine() {
      lastLineAt = performance.now();
    },
    stop: () => stopped.abort(),
  };
}

function isHealthy(socketPath: string, answerMs: number, stopped: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(answerMs)]);
  return new Promise((resolve) => {
    request({ socketPath, path: "/health", signal }, (response) => {
      response.resume().on("error", () => {});
      resolve(response.statusCode === 200);
    })
      .on("error", () => resolve(false))
      .end();
  });
}

function inWords(milliseconds: number): string {
  const minutes = milliseconds / MINUTE_MS;
  return minutes >= 2 ? `${Math.round(minutes)} minutes` : `${Math.round(milliseconds / 100) / 10} seconds`;
}
