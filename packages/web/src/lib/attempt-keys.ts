import { isApiError } from "@feather/sdk";

/** Refusals after which the very same call may still succeed, or has succeeded unseen. */
const UNDECIDED = new Set([
  "authentication_required",
  "payments.pending",
  "idempotency_conflict",
  "subscription.change_in_progress",
]);

/** Whether the server has decided: it did what was asked, or refused it for good. */
function isDecided(error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.status >= 500 || error.status === 408 || error.status === 429) return false;
  return !UNDECIDED.has(error.code ?? "");
}

/**
 * Names what a person wants done, so that wanting it twice does it once: the same input keeps its key until the server
 * has decided. After a lost connection the next press is the same call; after a refusal or a success it is a new one.
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
