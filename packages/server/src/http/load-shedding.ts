/** Refuses new work while the server is overloaded, so that running work ends in time. */
import { errors } from "../platform/core/errors/index.ts";

/**
 * Decides from the delay of this process's event loop whether the process refuses new work. Other processes may have
 * capacity.
 */
export type LoadShedder = {
  /** Records a measured delay in milliseconds, at a time in milliseconds. */
  observe(delayMs: number, nowMs: number): void;
  isOverloaded(): boolean;
};

/** The thresholds of refusing and accepting. Times are in milliseconds. */
export type LoadShedderOptions = {
  /** From this delay on, the event loop is late: users notice it, since one turn of the loop serves hundreds of requests. */
  lateMs: number;
  /** Up to this delay, the event loop is calm. Less than `lateMs`, so that the decision does not flap. */
  calmMs: number;
  /** How long the event loop must be late, or calm, without interruption. A single long task is not overload. */
  durationMs: number;
};

const DEFAULTS: LoadShedderOptions = { lateMs: 250, calmMs: 100, durationMs: 1_000 };
/** A long task is observed as one delay, so several late observations in a row are required. */
const MIN_LATE_OBSERVATIONS = 3;
const SAMPLE_INTERVAL_MS = 100;

/** Creates a shedder that accepts work at first. */
export function createLoadShedder({ lateMs, calmMs, durationMs }: LoadShedderOptions = DEFAULTS): LoadShedder {
  let isOverloaded = false;
  /** The time since which all observations favour the other decision. */
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

/** Makes `shedder` observe this process's event loop until the returned function is called. `now` returns milliseconds. */
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
 * Throws 503 with `retry-after` for calls while the server is overloaded. Health checks are answered, so that the server
 * does not count as dead, and so are files of the site, which cost little.
 */
export function refuseWhenOverloaded(shedder: Pick<LoadShedder, "isOverloaded">, url: string): void {
  if (shedder.isOverloaded() && isWork(url)) throw errors.overloaded();
}

function isWork(url: string): boolean {
  return (url.startsWith("/api/") && !url.startsWith("/api/health/")) || url.startsWith("/v1/") || url === "/mcp";
}
