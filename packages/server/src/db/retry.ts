import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, type KyselyConfig, type TransactionBuilder } from "kysely";
import { isTransient } from "./errors.ts";
import type { DB } from "./schema.generated.ts";

export type RetryOptions = {
  /** How often a transaction is begun in all. */
  tries: number;
  /** Milliseconds to wait before the next try; `attempt` is 1 after the first failure. */
  delayMs(attempt: number): number;
};

/** Three tries, with up to 40 ms before the second and up to 80 ms before the third. */
export const DEFAULT_RETRY: RetryOptions = { tries: 3, delayMs: (attempt) => Math.random() * 40 * attempt };

/**
 * Runs `act` again after PostgreSQL ended it for a deadlock or for a conflict of serialization. Nothing of a failed try is
 * kept by the database, so `act` must not change anything else.
 */
export async function retrying<T>(act: () => Promise<T>, { tries, delayMs }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt >= tries || !isTransient(error)) throw error;
      await sleep(delayMs(attempt));
    }
  }
}

/** A database whose transactions are tried again as `retrying` says. */
export class RetryingDatabase extends Kysely<DB> {
  readonly #retry: RetryOptions;

  constructor(config: KyselyConfig, retry: RetryOptions) {
    super(config);
    this.#retry = retry;
  }

  override transaction(): TransactionBuilder<DB> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = (callback) => retrying(() => execute(callback), this.#retry);
    return builder;
  }
}
