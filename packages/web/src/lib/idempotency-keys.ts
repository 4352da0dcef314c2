import { isApiError } from "@feather/sdk";

/** Error codes after which the same call may still succeed, or may already have succeeded. */
const UNDECIDED_CODES = new Set([
  "payments.authentication_required",
  "payments.pending",
  "idempotency_conflict",
  "subscription.change_in_progress",
]);

/**
 * Returns whether an error is final: a retry of the same call cannot succeed. Network and server errors are not final.
 */
function isFinal(error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.status >= 500 || error.status === 408 || error.status === 429) return false;
  return !UNDECIDED_CODES.has(error.code ?? "");
}

/**
 * Creates idempotency keys for one action. The same input keeps its key until the outcome is final, so a retry after a
 * lost connection repeats the same call, while a retry after a success or a final error is a new call.
 */
export function createIdempotencyKeys(createKey: () => string = () => crypto.randomUUID()) {
  let current: { input: string; key: string } | null = null;
  return {
    keyFor(input: unknown): string {
      const text = JSON.stringify(input) ?? "";
      if (current?.input !== text) current = { input: text, key: createKey() };
      return current.key;
    },
    settle(error?: unknown): void {
      if (error === undefined || isFinal(error)) current = null;
    },
  };
}
