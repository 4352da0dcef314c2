import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, type KyselyConfig, type TransactionBuilder } from "kysely";
import { isTransient } from "./errors.ts";
import type { DB } from "./schema.generated.ts";

/** How failed transactions are retried. */
export type RetryOptions = {
  /** Maximum number of attempts. */
  maxAttempts: number;
  /** Milliseconds to wait before the next attempt; `attempt` is 1 after the first failure. */
  delayMs(attempt: number): number;
};

/** Three attempts, with up to 40 ms before the second and up to 80 ms before the third. */
export const DEFAULT_RETRY: RetryOptions = { maxAttempts: 3, delayMs: (attempt) => Math.random() * 40 * attempt };

/**
 * Runs the function again after a deadlock or serialization failure. The database rolls back a failed attempt, so the
 * function must have no other side effects.
 */
export async function withRetry<T>(operation: () => Promise<T>, { maxAttempts, delayMs }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (attempt >= maxAttempts || !isTransient(error)) throw error;
      await sleep(delayMs(attempt));
    }
  }
}

/** A database whose transactions are retried with `withRetry`. */
export class RetryingDatabase extends Kysely<DB> {
  readonly #retry: RetryOptions;

  constructor(config: KyselyConfig, retry: RetryOptions) {
    super(config);
    this.#retry = retry;
  }

  override transaction(): TransactionBuilder<DB> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = (callback) => withRetry(() => execute(callback), this.#retry);
    return builder;
  }
}
