import type { Collection, CollectionSearchRequest, CollectionSearchResult, SentPassage } from "@feather/sdk";

/** The calls by which passages are found. */
export type PassageSearch = {
  list(signal: AbortSignal): Promise<{ readonly items: readonly Pick<Collection, "id" | "name">[] }>;
  search(request: CollectionSearchRequest, signal: AbortSignal): Promise<CollectionSearchResult>;
};

/** The passages that were found, and why some may be missing, in sentences. */
export type FoundPassages = { passages: SentPassage[]; problems: readonly string[] };

const MAX_QUERY_LENGTH = 4_000;

/**
 * Finds the passages of collections that go with a question, which is cut where it is longer than a search takes. Rejects if one of
 * the collections is not there, or the search fails.
 */
export async function findPassages(
  api: PassageSearch,
  ids: readonly string[],
  question: string,
  signal: AbortSignal,
): Promise<FoundPassages> {
  const query = question.slice(0, MAX_QUERY_LENGTH).toWellFormed();
  const [{ items, problems }, collections] = await Promise.all([
    api.search({ collection_ids: [...ids], query }, signal),
    api.list(signal),
  ]);
  const nameOf = (id: string) => collections.items.find((one) => one.id === id)?.name ?? "";
  const passages = items.map(({ collection_id, document_id, document_name, number, page, text }) => ({
    ...{ collection_id, collection_name: nameOf(collection_id), document_id, document_name, number, page, text },
  }));
  return { passages, problems };
}
