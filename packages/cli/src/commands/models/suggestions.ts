import type { Feather } from "@feather/sdk";
import { findNearest } from "../../suggest.ts";

const MAX_CANDIDATES = 20;

/** Runs a call about a model. When it rejects with `NotFoundError`, adds the closest ids as `details.suggestions`. */
export async function withSuggestions<T>(
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
      const suggestions = await findClosest(client, id, signal);
      if (suggestions.length > 0) error.details.suggestions = suggestions;
    }
    throw error;
  }
}

/** Returns similar ids, best first; none when the search fails, so that the original error is reported. */
async function findClosest(client: Feather, id: string, signal: AbortSignal): Promise<readonly string[]> {
  const name = nameOf(id);
  try {
    const { items } = await client.models.list({ search: name, perPage: MAX_CANDIDATES }, { signal, maxRetries: 0 });
    const ids = items.map((model) => model.id);
    const nearestIds = findNearest(id, ids);
    if (nearestIds.length > 0) return nearestIds;
    // The owner may be wrong altogether, so compare the names alone.
    const names = findNearest(name, ids.map(nameOf));
    return ids.filter((one) => names.includes(nameOf(one))).slice(0, names.length);
  } catch {
    return [];
  }
}

const nameOf = (id: string): string => id.slice(id.lastIndexOf("/") + 1);
