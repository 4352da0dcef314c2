import { setImmediate } from "node:timers/promises";
import type { components } from "@feather/openapi/schema";
import type { EmbedTexts, ModelLookup } from "../../gateway/index.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { ParseQueue } from "../../platform/core/parse-pool.ts";
import { wordsOf } from "../conversations/index.ts";
import { type Cut, cutPassages } from "./cut-passages.ts";
import { joinRanks } from "./join-ranks.ts";
import { embedQuery } from "./query-vector.ts";
import type { MakeTextVectors } from "./text-vectors.ts";
import { compare } from "./vectors.ts";
import { chooseWords, isMeant, weigh } from "./word-ranking.ts";

type PassagesRequest = components["schemas"]["PassagesRequest"];
type FoundPassages = components["schemas"]["FoundPassages"];
type Passage = Cut & { document: number; number: number; text: string };

type Deps = {
  takeTurn: ParseQueue;
  embedTexts: EmbedTexts;
  makeTextVectors: MakeTextVectors;
  findEmbeddingModel(): Promise<string | null>;
  models: Pick<ModelLookup, "find">;
  /** How long the vector of a query may take, in milliseconds. */
  queryTimeoutMs: number;
};

const MAX_PASSAGES = 5_000;
/** How many passages each order has that are joined. */
const MAX_RANKED = 100;
/** How many passages are returned where the caller names no number. */
const DEFAULT_LIMIT = 8;
/** Passages that are compared before other calls are answered. */
const PASSAGES_AT_ONCE = 20;
const NO_MODEL = "Searched by words alone, since no model for embeddings can be called now.";

/**
 * Creates the search in texts that are sent with the question and not stored. Texts of one person are searched one after the other. Where the
 * caller has gone, what was found by then is returned. Throws 413 for more passages than are compared, and the errors of the queue.
 */
export const createFindTextPassages =
  (deps: Deps) =>
  (actor: SignedInActor, request: PassagesRequest, signal: AbortSignal): Promise<FoundPassages> =>
    deps.takeTurn(() => findTextPassages(deps, actor, request, signal), { account: actor.userId });

async function findTextPassages(
  deps: Deps,
  actor: SignedInActor,
  { documents, query, limit, embedding_model }: PassagesRequest,
  signal: AbortSignal,
): Promise<FoundPassages> {
  const passages = documents.flatMap(cutDocument);
  if (passages.length > MAX_PASSAGES)
    throw errors.payloadTooLarge(
      `The texts have ${passages.length} passages, and at most ${MAX_PASSAGES} are compared.`,
      {
        param: "documents",
        details: { passages: passages.length, max: MAX_PASSAGES },
      },
    );
  const problems: string[] = [];
  const byWords = await rankByWords(passages, query, signal);
  const model = await chooseModel(deps, actor, embedding_model);
  if (model === null && embedding_model === undefined) problems.push(NO_MODEL);
  const byMeaning =
    model === null ? null : await rankByMeaning(deps, actor, { passages, byWords, model, query, signal, problems });
  const ranked = joinRanks([byWords, ...(byMeaning === null ? [] : [byMeaning])]).slice(0, limit ?? DEFAULT_LIMIT);
  return {
    items: ranked.flatMap(({ key, score, ranks: [rankByWord, rank] }) => {
      const passage = passages[Number(key)];
      if (passage === undefined) return [];
      const { name: document_name = "" } = documents[passage.document] ?? {};
      return [{ ...passage, document_name, score, rank_by_words: rankByWord ?? null, rank_by_meaning: rank ?? null }];
    }),
    documents: documents.map(({ name }, index) => ({
      name,
      passages: passages.filter(({ document }) => document === index).length,
    })),
    compared_by: byMeaning === null ? "words" : "words_and_meaning",
    problems,
  };
}

/** Returns the id of the model that compares by meaning; null for none. Throws where the caller names one that cannot be called. */
async function chooseModel(
  { models, findEmbeddingModel }: Deps,
  { organizationId }: SignedInActor,
  given: string | null | undefined,
): Promise<string | null> {
  if (given === undefined) return findEmbeddingModel();
  return given && (await models.find(given, organizationId)).id;
}

const cutDocument = ({ text, has_pages }: PassagesRequest["documents"][number], document: number): Passage[] =>
  cutPassages(text, has_pages ?? false).map((cut, index) => ({
    ...{ document, number: index + 1, ...cut },
    text: text.slice(cut.start, cut.end).toWellFormed(),
  }));

/** Returns the places of the passages that have words of the query, those with rare words and with many of them first. */
async function rankByWords(passages: readonly Passage[], query: string, signal: AbortSignal): Promise<string[]> {
  const words = chooseWords(query);
  const found: boolean[][] = [];
  for (const [index, { text }] of passages.entries()) {
    if (index % PASSAGES_AT_ONCE === 0) await setImmediate();
    if (signal.aborted) break;
    const own = [...wordsOf(text)];
    found.push(words.map((word) => own.some((other) => isMeant(other, word))));
  }
  const weights = words.map((_, word) => weigh(found.filter((has) => has[word]).length, passages.length));
  return found
    .map((has, index) => ({
      key: String(index),
      score: weights.reduce((sum, weight, word) => sum + (has[word] ? weight : 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RANKED)
    .map(({ key }) => key);
}

type Comparison = {
  passages: readonly Passage[];
  /** The order by words: these passages get their vectors first, in case time ends. */
  byWords: readonly string[];
  model: string;
  query: string;
  signal: AbortSignal;
  problems: string[];
};

/** Returns the places of the passages whose vectors are nearest to that of the query; null where none could be compared. */
async function rankByMeaning(deps: Deps, actor: SignedInActor, comparison: Comparison): Promise<string[] | null> {
  const { passages, byWords, model, query, signal, problems } = comparison;
  const vector = await embedQuery(deps, actor, model, { query, signal }, problems);
  if (vector === null) return null;
  const order = [...new Set([...byWords, ...passages.map((_, index) => String(index))])];
  const texts = order.map((key) => passages[Number(key)]?.text ?? "");
  const { vectors, problem } = await deps.makeTextVectors(actor, {
    ...{ model, texts, signal },
    dimensions: vector.dimensions,
  });
  const compared = order.flatMap((key, index) => {
    const own = vectors[index];
    return own ? [{ key, similarity: compare(vector, own)[0] ?? 0 }] : [];
  });
  if (problem !== null)
    problems.push(`${compared.length} of ${passages.length} passages were compared by meaning: ${problem}`);
  if (compared.length === 0) return null;
  return compared
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_RANKED)
    .map(({ key }) => key);
}
