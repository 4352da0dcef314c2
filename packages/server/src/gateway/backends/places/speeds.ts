import { MINUTE_MS } from "../../../platform/core/time.ts";

/**
 * Moving averages of the recent streams of a model at a backend; null before the first one. `measuredAt` is when the latest of
 * them began to answer, in milliseconds since 1970.
 */
export type Speed = { firstTokenMs: number | null; tokensPerSecond: number | null; measuredAt: number };

/** The speed of each model of a backend, by catalogue id. */
export type Speeds = Map<string, Speed>;

/** The share of the latest measurement in an average. */
const LATEST_SHARE = 0.2;
/** Answers that take less time after their first token are sent at once, so that no rate can be measured. */
const MIN_RATE_MS = 200;

/** How long a measurement says how fast a backend is now. A backend that was slow once gets calls again after that. */
const MAX_AGE_MS = 10 * MINUTE_MS;

/** Returns whether a speed was measured in the last ten minutes. `nowMs` is in milliseconds since 1970. */
export const isFresh = ({ measuredAt }: Speed, nowMs: number): boolean => nowMs - measuredAt < MAX_AGE_MS;

/** Notes the milliseconds from a request to a backend to the first token, which came at `nowMs`. */
export function noteFirstToken(speeds: Speeds, modelKey: string, milliseconds: number, nowMs: number): void {
  const known = speeds.get(modelKey);
  const speed = known !== undefined && isFresh(known, nowMs) ? known : startSpeed(speeds, modelKey);
  speed.firstTokenMs = average(speed.firstTokenMs, milliseconds);
  speed.measuredAt = nowMs;
}

/** Notes the tokens of an answer, and the milliseconds from the first one to the last. Short answers are left out. */
export function noteTokens(speeds: Speeds, modelKey: string, tokens: number, milliseconds: number): void {
  if (milliseconds < MIN_RATE_MS) return;
  const speed = speeds.get(modelKey) ?? startSpeed(speeds, modelKey);
  speed.tokensPerSecond = average(speed.tokensPerSecond, (tokens / milliseconds) * 1000);
}

function startSpeed(speeds: Speeds, modelKey: string): Speed {
  const speed = { firstTokenMs: null, tokensPerSecond: null, measuredAt: 0 };
  speeds.set(modelKey, speed);
  return speed;
}

function average(before: number | null, latest: number): number {
  return before === null ? latest : before + LATEST_SHARE * (latest - before);
}
