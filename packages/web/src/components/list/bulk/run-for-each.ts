import type { BulkResult } from "@feather/sdk";
import { errorMessage } from "#/lib/error-message.ts";

/** How many run at the same time. */
const MAX_CONCURRENCY = 4;

/** Runs an action for each id, a few at a time. Returns a result for each, in the order of the ids; never throws. */
export async function runForEach(
  ids: readonly string[],
  action: (id: string) => PromiseLike<unknown>,
): Promise<BulkResult[]> {
  const results = new Map<string, BulkResult>();
  const queue = [...ids];
  async function runQueue(): Promise<void> {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) results.set(id, await runOne(id, action));
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENCY }, runQueue));
  return ids.flatMap((id) => results.get(id) ?? []);
}

async function runOne(id: string, action: (id: string) => PromiseLike<unknown>): Promise<BulkResult> {
  try {
    await action(id);
    return { id, ok: true, error: null };
  } catch (error) {
    return { id, ok: false, error: errorMessage(error) };
  }
}
