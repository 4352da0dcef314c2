import { faultWords } from "./fault-words.ts";
import type { BulkResult } from "./results.tsx";

/** How many run at the same time. */
const AT_ONCE = 4;

/** Runs an action for each id, a few at a time. Returns a result for each, in the order of the ids; never throws. */
export async function withEach(
  ids: readonly string[],
  work: (id: string) => PromiseLike<unknown>,
): Promise<BulkResult[]> {
  const results = new Map<string, BulkResult>();
  const waiting = [...ids];
  async function take(): Promise<void> {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) results.set(id, await resultOf(id, work));
  }
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return ids.flatMap((id) => results.get(id) ?? []);
}

async function resultOf(id: string, work: (id: string) => PromiseLike<unknown>): Promise<BulkResult> {
  try {
    await work(id);
    return { id, ok: true, error: null };
  } catch (error) {
    return { id, ok: false, error: faultWords(error) };
  }
}
