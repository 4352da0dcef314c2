import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { SECOND_MS } from "../platform/core/time.ts";
import type { Stop } from "./stops.ts";

/** After what a start leaves to do, such as the first run of jobs. */
const DELAY_MS = 10 * SECOND_MS;

/**
 * Collects the garbage of the start once, ten seconds later, which takes 20 to 60 ms. V8 collects when memory is requested,
 * so that an idle server would keep about 90 MB more. Returns a function that cancels it.
 */
export function collectGarbageLater(): Stop {
  const timer = setTimeout(collectGarbage, DELAY_MS).unref();
  return async () => clearTimeout(timer);
}

/** Frees all unreachable objects. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc();
}
