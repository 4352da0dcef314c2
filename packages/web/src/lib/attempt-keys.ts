import { isApiError } from "@feather/sdk";

/** Error codes after which the same call may still succeed, or may already have succeeded. */
const UNDECIDED = new Set([
  "authentication_required",
  "payments.pending",
  "idempotency_conflict",
  "subscription.change_in_progress",
]);

/**
 * Returns whether an error is final: a retry of the same call cannot succeed. Network and server errors are not final.
 */
function isDecided(error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.status >= 500 || error.status === 408 || error.status === 429) return false;
  return !UNDECIDED.has(error.code ?? "");
}

/**
 * Creates idempotency keys for one action. The same input keeps its key until the outcome is final, so a retry after a
 * lost connection repeats the same call, while a retry after a success or a final error is a new call.
 */
export function createAttemptKeys(draw: () => string = () => crypto.randomUUID()) {
  let current: { input: string; key: string } | null = null;
  return {
    keyFor(input: unknown): string {
      const text = JSON.stringify(input) ?? "";
      if (current?.input !== text) current = { input: text, key: draw() };
      return current.key;
    },
    settle(error?: unknown): void {
      if (error === undefined || isDecided(error)) current = null;
    },
  };
}
