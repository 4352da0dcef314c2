import { createUuid, isApiError } from "@feather/sdk";

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

/** The idempotency keys of one action. */
export type IdempotencyKeys = {
  /** Returns the key of the call with this input. */
  keyFor(input: unknown): string;
  /** Says how the call with this input ended: with an error, or well where none is given. */
  settle(input: unknown, error?: unknown): void;
};

/**
 * Creates idempotency keys for one action. The same input keeps its key until the outcome is final, so a retry after a
 * lost connection repeats the same call, while a retry after a success or a final error is a new call.
 */
export function createIdempotencyKeys(createKey: () => string = createUuid): IdempotencyKeys {
  const keys = new Map<string, string>();
  return {
    keyFor(input) {
      const text = toText(input);
      const key = keys.get(text) ?? createKey();
      keys.set(text, key);
      return key;
    },
    settle(input, error) {
      if (error === undefined || isFinal(error)) keys.delete(toText(input));
    },
  };
}

const toText = (input: unknown): string => JSON.stringify(input) ?? "";
