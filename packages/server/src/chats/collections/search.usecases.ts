import type { components } from "@feather/openapi/schema";
import type { EmbedTexts } from "../../gateway/index.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hashesOfQuery, type OrganizationKey, type OrganizationKeys } from "../conversations/index.ts";
import { openPassage, toPassageDto } from "./collections.dto.ts";
import type { CollectionRow, CollectionsRepository } from "./collections.repository.ts";
import { requireCollection } from "./collections.usecases.ts";
import { joinRanks, type Ranked } from "./join-ranks.ts";
import type { PassagesRepository, VectorsRow } from "./passages.repository.ts";
import { embedQuery } from "./query-vector.ts";
import { compare, fromBytes, type Vectors } from "./vectors.ts";
import { chooseWords, scoreWords, weigh } from "./word-ranking.ts";

type SearchRequest = components["schemas"]["CollectionSearchRequest"];
type SearchResult = components["schemas"]["CollectionSearchResult"];

type Deps = {
  collectionsRepository: CollectionsRepository;
  passagesRepository: PassagesRepository;
  organizationKeys: OrganizationKeys;
  embedTexts: EmbedTexts;
  /** How long the vector of a query may take, in milliseconds. */
  queryTimeoutMs: number;
};

/** How many passages each order has that are joined. */
const MAX_RANKED = 100;
/** Beginnings of words can be in a passage without its words, so more are read than are ranked. */
const MAX_CANDIDATES = 200;
/** Rows of vectors that are in memory at once. */
const ROWS_AT_ONCE = 64;

/** Creates the search in collections. Throws `collections.not_found` for one that the caller may not read. */
export const createSearch =
  (deps: Deps) =>
  (actor: SignedInActor, request: SearchRequest, signal: AbortSignal): Promise<SearchResult> =>
    search(deps, actor, request, signal);

async function search(
  deps: Deps,
  actor: SignedInActor,
  { collection_ids: ids, query, limit = 8 }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResult> {
  const found = await Promise.all(ids.map((id) => requireCollection(deps, actor, id)));
  const [{ key } = { key: null }] = found;
  if (key === null) return { items: [], compared_by: "words", problems: [] };
  const collections = found.map(({ row }) => row);
  const byWords = await rankByWords(deps, key, ids, query);
  const byMeaning = await rankByMeaning(deps, actor, { collections, key, query, signal });
  const ranked = joinRanks([byWords, ...byMeaning.lists]).slice(0, limit);
  return {
    items: await readHits(deps, key, ranked),
    compared_by: byMeaning.lists.length > 0 ? "words_and_meaning" : "words",
    problems: byMeaning.problems,
  };
}

const keyOf = (documentId: string, number: number) => `${documentId} ${number}`;

/** Returns the passages that have words of the query, those with rare words and with many of them first. */
async function rankByWords(
  { passagesRepository }: Deps,
  key: OrganizationKey,
  ids: readonly string[],
  query: string,
): Promise<string[]> {
  const words = chooseWords(query);
  if (words.length === 0) return [];
  const hashes = hashesOfQuery(words, key.hash);
  const { total, withHash } = await passagesRepository.countWithHashes(ids, [...new Set(hashes)]);
  const weights = new Map(hashes.map((hash) => [hash, weigh(withHash.get(hash) ?? 0, total)]));
  const weighted = [...weights].map(([hash, weight]) => ({ hash, weight }));
  const candidates = await passagesRepository.listWithHashes(ids, weighted, MAX_CANDIDATES);
  return candidates
    .map(({ document_id, number, sealed_fields }) => {
      const weighedWords = words.map((word, index) => ({ word, weight: weights.get(hashes[index] ?? "") ?? 0 }));
      return { key: keyOf(document_id, number), score: scoreWords(weighedWords, openPassage(key, sealed_fields).text) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RANKED)
    .map((candidate) => candidate.key);
}

type Question = { collections: readonly CollectionRow[]; key: OrganizationKey; query: string; signal: AbortSignal };

/** Returns an order of passages for each model of the collections that made the vector of the query, and why others did not. */
async function rankByMeaning(deps: Deps, actor: SignedInActor, question: Question) {
  const { collections, key } = question;
  const problems: string[] = [];
  const lists: string[][] = [];
  const models = Map.groupBy(collections, ({ embedding_model }) => embedding_model);
  for (const [model, rows] of models) {
    if (model === null) {
      problems.push("Collections without a model for embeddings were searched by words alone.");
      continue;
    }
    const vector = await embedQuery(deps, actor, model, question, problems);
    if (vector === null) continue;
    const { passages, hasOthers } = await findNearest(deps, key, rows, { vector, signal: question.signal });
    if (hasOthers)
      problems.push(`Vectors of ${model} have another length than before. Set the model of the collection anew.`);
    lists.push(passages);
  }
  const withModels = collections.filter(({ embedding_model }) => embedding_model !== null).map(({ id }) => id);
  const missing = withModels.length > 0 ? await deps.passagesRepository.countWithoutVectors(withModels) : 0;
  if (missing === 1) problems.push("1 document lacks vectors of passages, which are found by words alone.");
  if (missing > 1) problems.push(`${missing} documents lack vectors of passages, which are found by words alone.`);
  return { lists, problems };
}

/**
 * Compares the query with all vectors of the collections. Other calls are answered between two reads, and no more is read once the
 * signal aborts, since nobody waits for the answer.
 */
async function findNearest(
  { passagesRepository }: Deps,
  key: OrganizationKey,
  collections: readonly CollectionRow[],
  { vector: query, signal }: { vector: Vectors; signal: AbortSignal },
): Promise<{ passages: string[]; hasOthers: boolean }> {
  let nearest: { key: string; similarity: number }[] = [];
  let hasOthers = false;
  for (const { id } of collections) {
    let rows: VectorsRow[];
    let last: VectorsRow | null = null;
    do {
      rows = await passagesRepository.listVectors(id, last, ROWS_AT_ONCE);
      const comparable = rows.filter(({ dimensions }) => dimensions === query.dimensions);
      hasOthers ||= comparable.length < rows.length;
      nearest = [...nearest, ...comparable.flatMap((row) => compareRow(key, row, query))]
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, MAX_RANKED);
      last = rows.at(-1) ?? null;
    } while (rows.length === ROWS_AT_ONCE && !signal.aborted);
  }
  return { passages: nearest.map((one) => one.key), hasOthers };
}

function compareRow({ sealer }: OrganizationKey, row: VectorsRow, query: Vectors) {
  const vectors = fromBytes(sealer.openBytes(row.sealed_vectors), row.dimensions);
  return compare(query, vectors).map((similarity, index) => ({
    key: keyOf(row.document_id, row.first_number + index),
    similarity,
  }));
}

async function readHits(
  { passagesRepository }: Deps,
  key: OrganizationKey,
  ranked: readonly Ranked[],
): Promise<SearchResult["items"]> {
  const places = ranked.map((one) => {
    const [documentId = "", number] = one.key.split(" ");
    return { documentId, number: Number(number) };
  });
  const rows = await passagesRepository.findAll(places);
  const byKey = new Map(rows.map((row) => [keyOf(row.document_id, row.number), row]));
  return ranked.flatMap(({ key: place, score, ranks: [byWords, ...byMeaning] }) => {
    const row = byKey.get(place);
    if (row === undefined) return []; // deleted meanwhile
    const rank_by_meaning = byMeaning.find((rank) => rank !== null) ?? null;
    return [{ ...toPassageDto(row, key), score, rank_by_words: byWords ?? null, rank_by_meaning }];
  });
}
