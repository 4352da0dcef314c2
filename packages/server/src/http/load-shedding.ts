/** Refuses new work while the server has more than it can do, so that what it has begun ends in time. */
import { errors } from "../core/errors/index.ts";

/** Decides by the delay of this process's event loop whether it refuses new work. Others may have time for it. */
export type LoadShedder = {
  /** Takes a measured delay, in milliseconds, at a time in milliseconds. */
  observe(delayMs: number, nowMs: number): void;
  isOverloaded(): boolean;
};

/** When to refuse and when to accept again; times in milliseconds. */
export type LoadShedderOptions = {
  /** Later than this is too late: a person notices, and one turn of the loop serves hundreds of requests. */
  lateMs: number;
  /** As late as this is good again; less than `lateMs`, so that the decision does not flap. */
  calmMs: number;
  /** How long it must be late, or calm, without interruption. One long task alone is not overload. */
  durationMs: number;
};

const DEFAULTS: LoadShedderOptions = { lateMs: 250, calmMs: 100, durationMs: 1_000 };
/** A task that blocks for long is seen as one delay, so late means several in a row. */
const MIN_LATE_OBSERVATIONS = 3;
const SAMPLE_INTERVAL_MS = 100;

/** Creates the decision: accepting at first. */
export function createLoadShedder({ lateMs, calmMs, durationMs }: LoadShedderOptions = DEFAULTS): LoadShedder {
  let isOverloaded = false;
  /** Since when all observations have spoken for the other decision. */
  let since: number | undefined;
  let observations = 0;
  return {
    isOverloaded: () => isOverloaded,
    observe(delayMs, nowMs) {
      const speaksForChange = isOverloaded ? delayMs <= calmMs : delayMs >= lateMs;
      if (!speaksForChange) {
        since = undefined;
        observations = 0;
        return;
      }
      since ??= nowMs - delayMs;
      observations += 1;
      if (nowMs - since < durationMs || observations < MIN_LATE_OBSERVATIONS) return;
      isOverloaded = !isOverloaded;
      since = undefined;
      observations = 0;
    },
  };
}

/** Lets `shedder` observe this process's event loop until the returned function is called. `now` returns milliseconds. */
export function watchEventLoop(shedder: LoadShedder, now: () => number = () => performance.now()): () => void {
  let expectedAt = now() + SAMPLE_INTERVAL_MS;
  let timer = setTimeout(sample, SAMPLE_INTERVAL_MS).unref();
  function sample(): void {
    const at = now();
    shedder.observe(Math.max(0, at - expectedAt), at);
    expectedAt = at + SAMPLE_INTERVAL_MS;
    timer = setTimeout(sample, SAMPLE_INTERVAL_MS).unref();
  }
  return () => clearTimeout(timer);
}

/**
 * Throws 503 with `retry-after` for calls while the server is overloaded. Health checks are answered, so that it is not
 * taken for dead, and so are the files of the site, which cost little.
 */
export function refuseWhenOverloaded(shedder: Pick<LoadShedder, "isOverloaded">, url: string): void {
  if (shedder.isOverloaded() && isWork(url)) throw errors.overloaded();
}

function isWork(url: string): boolean {
  return (url.startsWith("/api/") && !url.startsWith("/api/health/")) || url.startsWith("/v1/");
}
