/** Whether calls to a backend probably reach it, as its last calls and the last reading of its models have shown. */
export type BackendHealth = {
  /** The number of calls in a row that have failed. */
  failures: number;
  /** When it is tried as others are again, in milliseconds since 1970; 0 while its circuit is closed. */
  circuitOpenUntil: number;
  /** Whether it could not be reached when its models were last read. */
  isUnreachable: boolean;
  /** Why the last call failed; null after one that did not. */
  lastError: string | null;
};

/** After this many failures in a row, the backend's circuit opens; each further failure doubles the time. */
const FAILURES_TO_OPEN = 3;
const MIN_OPEN_MS = 10_000;
const MAX_OPEN_MS = 120_000;

/** Returns the health of a backend of which nothing is known. */
export const toHealthy = (): BackendHealth => ({
  failures: 0,
  circuitOpenUntil: 0,
  isUnreachable: false,
  lastError: null,
});

/** Returns whether a backend is probably reached, at a time in milliseconds since 1970. Others are tried last. */
export const isUsable = (
  { circuitOpenUntil, isUnreachable }: Pick<BackendHealth, "circuitOpenUntil" | "isUnreachable">,
  nowMs: number,
): boolean => circuitOpenUntil <= nowMs && !isUnreachable;

/** Counts a failed call. Returns whether the circuit is open now. */
export function noteFailure(health: BackendHealth, reason: string, nowMs: number): boolean {
  health.failures += 1;
  health.lastError = reason;
  const excessFailures = health.failures - FAILURES_TO_OPEN;
  if (excessFailures < 0) return false;
  health.circuitOpenUntil = nowMs + Math.min(MIN_OPEN_MS * 2 ** excessFailures, MAX_OPEN_MS);
  return true;
}
