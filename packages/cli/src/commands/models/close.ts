import type { Feather } from "@feather/sdk";
import { nearest } from "../../suggest.ts";

const MOST = 20;

/** Runs a call about a model. When it rejects with `NotFoundError`, adds the closest ids as `details.suggestions`. */
export async function withClosest<T>(
  client: Feather,
  id: string,
  signal: AbortSignal,
  call: () => PromiseLike<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { isNotFound } = await import("@feather/sdk");
    if (isNotFound(error) && error.details.suggestions === undefined) {
      const close = await closest(client, id, signal);
      if (close.length > 0) error.details.suggestions = close;
    }
    throw error;
  }
}

/** Returns similar ids, best first; none when the search fails, so that the original error is reported. */
async function closest(client: Feather, id: string, signal: AbortSignal): Promise<readonly string[]> {
  const name = nameOf(id);
  try {
    const { items } = await client.models.list({ search: name, perPage: MOST }, { signal, maxRetries: 0 });
    const ids = items.map((model) => model.id);
    const near = nearest(id, ids);
    if (near.length > 0) return near;
    // The owner may be wrong altogether, so compare the names alone.
    const names = nearest(name, ids.map(nameOf));
    return ids.filter((one) => names.includes(nameOf(one))).slice(0, names.length);
  } catch {
    return [];
  }
}

const nameOf = (id: string): string => id.slice(id.lastIndexOf("/") + 1);
