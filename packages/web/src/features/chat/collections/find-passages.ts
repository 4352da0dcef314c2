import type {
  Collection,
  CollectionSearchRequest,
  CollectionSearchResult,
  FoundPassages as FoundInFiles,
  PassagesRequest,
  SentPassage,
} from "@feather/sdk";
import { toName } from "../conversation/plain-texts.ts";
import type { Attachment } from "../conversation/types.ts";

/** The calls by which passages are found. */
export type PassageSearch = {
  list(signal: AbortSignal): Promise<{ readonly items: readonly Pick<Collection, "id" | "name">[] }>;
  search(request: CollectionSearchRequest, signal: AbortSignal): Promise<CollectionSearchResult>;
  searchFiles(request: PassagesRequest, signal: AbortSignal): Promise<FoundInFiles>;
};

/** What is searched: collections by their ids, and files, of which up to `filePassages` passages are returned. */
export type Searched = { ids: readonly string[]; files: readonly Attachment[]; filePassages: number };

/**
 * The passages that were found, those of files first, how many passages each of the files has, by its id, and why some may be missing, in
 * sentences.
 */
export type FoundPassages = {
  passages: SentPassage[];
  counts: ReadonlyMap<string, number>;
  problems: readonly string[];
};

const MAX_QUERY_LENGTH = 4_000;
const MAX_NAME_LENGTH = 255;

/**
 * Finds the passages of collections and long files that go with a question, which is cut where it is longer than a search takes. Rejects
 * if one of the collections is not there, or a search fails.
 */
export async function findPassages(
  api: PassageSearch,
  { ids, files, filePassages }: Searched,
  question: string,
  signal: AbortSignal,
): Promise<FoundPassages> {
  const query = question.slice(0, MAX_QUERY_LENGTH).toWellFormed();
  const [ofFiles, ofCollections] = await Promise.all([
    files.length > 0 ? findInFiles(api, { files, filePassages }, query, signal) : NOTHING,
    ids.length > 0 ? findInCollections(api, ids, query, signal) : NOTHING,
  ]);
  return {
    passages: [...ofFiles.passages, ...ofCollections.passages],
    counts: ofFiles.counts,
    problems: [...new Set([...ofFiles.problems, ...ofCollections.problems])],
  };
}

const NOTHING: FoundPassages = { passages: [], counts: new Map(), problems: [] };

async function findInCollections(
  api: PassageSearch,
  ids: readonly string[],
  query: string,
  signal: AbortSignal,
): Promise<FoundPassages> {
  const [{ items, problems }, collections] = await Promise.all([
    api.search({ collection_ids: [...ids], query }, signal),
    api.list(signal),
  ]);
  const nameOf = (id: string) => collections.items.find((one) => one.id === id)?.name ?? "";
  const passages = items.map(({ collection_id, document_id, document_name, number, page, text }) => ({
    ...{ collection_id, collection_name: nameOf(collection_id), document_id, document_name, number, page, text },
  }));
  return { ...NOTHING, passages, problems };
}

async function findInFiles(
  api: PassageSearch,
  { files, filePassages }: Omit<Searched, "ids">,
  query: string,
  signal: AbortSignal,
): Promise<FoundPassages> {
  const documents = files.map(({ name, data, pages }) => ({
    name: toName(name, MAX_NAME_LENGTH) || "file",
    text: data.replaceAll("\0", "").toWellFormed(),
    has_pages: typeof pages === "number",
  }));
  const found = await api.searchFiles({ documents, query, limit: filePassages }, signal);
  return {
    passages: found.items.map(({ document, document_name, number, page, text }) => ({
      ...{ collection_id: "", collection_name: "", document_id: files[document]?.id ?? "" },
      ...{ document_name, number, page, text },
    })),
    counts: new Map(files.map(({ id }, index) => [id, found.documents[index]?.passages ?? 0])),
    problems: found.problems,
  };
}
