/** Moving averages of the recent streams of a model at a backend; null before the first one. */
export type Speed = { firstTokenMs: number | null; tokensPerSecond: number | null };

/** The speed of each model of a backend, by catalogue id. */
export type Speeds = Map<string, Speed>;

/** The share of the latest measurement in an average. */
const LATEST_SHARE = 0.2;
/** Answers that take less time after their first token are sent at once, so that no rate can be measured. */
const MIN_RATE_MS = 200;

/** Notes the milliseconds from a request to a backend to the first token. */
export function noteFirstToken(speeds: Speeds, modelKey: string, milliseconds: number): void {
  const speed = speedOf(speeds, modelKey);
  speed.firstTokenMs = average(speed.firstTokenMs, milliseconds);
}

/** Notes the tokens of an answer, and the milliseconds from the first one to the last. Short answers are left out. */
export function noteTokens(speeds: Speeds, modelKey: string, tokens: number, milliseconds: number): void {
  if (milliseconds < MIN_RATE_MS) return;
  const speed = speedOf(speeds, modelKey);
  speed.tokensPerSecond = average(speed.tokensPerSecond, (tokens / milliseconds) * 1000);
}

function speedOf(speeds: Speeds, modelKey: string): Speed {
  const known = speeds.get(modelKey);
  if (known) return known;
  const speed = { firstTokenMs: null, tokensPerSecond: null };
  speeds.set(modelKey, speed);
  return speed;
}

function average(before: number | null, latest: number): number {
  return before === null ? latest : before + LATEST_SHARE * (latest - before);
}
