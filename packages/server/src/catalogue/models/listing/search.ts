import { type RawBuilder, sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { isVisibleTo, type Viewer } from "../viewer.ts";
import { NEWEST_FIRST } from "./sort-orders.ts";

/**
 * A term of a search: texts of which one must occur (with `ignoreSeparators` also across the separators of an id), or a
 * size such as `7b`, with its number of parameters if it states one.
 */
export type Term = { texts: readonly string[]; ignoreSeparators?: true } | { size: string; parameters: number | null };

/** A parsed search, of which every term must match. Null for a search that cannot match any model. */
export type Search = { text: string; terms: readonly Term[] } | null;

const MAX_SEARCH_LENGTH = 200;
const MAX_WORDS = 8;
const MAX_CORRECTIONS = 3;
const SIZE = /^(?:\d+x)?\d+(?:\.\d+)?[bmt]$/;
const PARAMETERS_PER_UNIT: Record<string, number> = { m: 1e6, b: 1e9, t: 1e12 };
/** The largest difference between a model's number of parameters and the size in a search, as a share. */
const SIZE_TOLERANCE = 0.03;
/** The range of parameters that a size in a name covers, as factors: "7B" is used for 6.7 and for 8.3 billion. */
const NOMINAL_SIZE_RANGE = [0.7, 1.4] as const;
/** The Levenshtein distance of two swapped letters. */
const TRANSPOSITION_DISTANCE = 2;
/** Shorter words have no trigram, so the index cannot find them. */
const MIN_INDEXED_LENGTH = 3;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export type SearchParser = ReturnType<typeof createSearchParser>;

/** Creates the parser of searches. Words that occur in the catalogue are kept, others are replaced by similar ones. */
export function createSearchParser(db: Database) {
  return bind(db, {
    parse: parseSearch,
  });
}

async function checkOccurrences(db: Database, words: readonly string[], viewer: Viewer): Promise<boolean[]> {
  if (words.length === 0) return [];
  const common = await findKnownPrefixes(db, words);
  const others = words.filter((word) => !common.has(word));
  if (others.length === 0) return words.map(() => true);
  const columns = others.map((word, index) => {
    const isFound = sql`where ${isVisibleTo(viewer)} and ${occurs(word)}`;
    return sql<boolean>`(exists (select 1 from ${newestModels} as models ${isFound})
      or exists (select 1 from models ${isFound}))`.as(`w${index}`);
  });
  const row: Record<string, boolean> = await withIndexScans(db, others, (trx) =>
    trx.selectNoFrom(columns).executeTakeFirstOrThrow(),
  );
  return words.map((word) => common.has(word) || (row[`w${others.indexOf(word)}`] ?? false));
}

/** Frequent words occur in the newest models, which are read faster than an index with all models of a word. */
const newestModels = sql`(select * from models order by ${NEWEST_FIRST} limit 250)`;

/** Returns the words that some word of the catalogue starts with. */
async function findKnownPrefixes(db: Database, words: readonly string[]): Promise<Set<string>> {
  const columns = words.map((word, index) =>
    sql<boolean>`exists (select 1 from catalogue_words where word like ${`${escapeLikePattern(word)}%`})`.as(
      `w${index}`,
    ),
  );
  const row: Record<string, boolean> = await db.selectNoFrom(columns).executeTakeFirstOrThrow();
  return new Set(words.filter((_, index) => row[`w${index}`]));
}

/** Returns the most similar words of the catalogue; empty if none is similar enough. */
async function findCorrections(db: Database, word: string): Promise<string[]> {
  if (word.length < 4) return [];
  const maxDistance = Math.max(maxMistakes(word), TRANSPOSITION_DISTANCE);
  const { rows } = await sql<{ word: string; distance: number }>`
      select word, levenshtein(word, ${word}) as distance
      from (
        select word from catalogue_words where word % ${word}
        union
        select word from catalogue_words where left(word, 1) = ${[...word][0]}
          and length(word) between ${word.length - maxDistance} and ${word.length + maxDistance}
      ) as near
      where levenshtein_less_equal(word, ${word}, ${maxDistance}) <= ${maxDistance}
      order by distance, similarity(word, ${word}) desc, word
      limit 20`.execute(db);
  const near = rows
    .map((row) => ({ ...row, distance: isTransposition(row.word, word) ? 1 : row.distance }))
    .filter(({ distance: d }) => d <= maxMistakes(word));
  const best = Math.min(...near.map((row) => row.distance));
  return near
    .filter((row) => row.distance === best)
    .slice(0, MAX_CORRECTIONS)
    .map((row) => row.word);
}

async function parseSearch(db: Database, search: string | undefined, viewer: Viewer): Promise<Search | undefined> {
  const text = (search ?? "").trim().toLowerCase().slice(0, MAX_SEARCH_LENGTH);
  if (text === "") return undefined;
  const words = text.split(/\s+/).slice(0, MAX_WORDS);
  if (!words.every((word) => LETTER_OR_DIGIT.test(word))) return null;
  const plainWords = words.filter((word) => !SIZE.test(word));
  const known = await checkOccurrences(db, plainWords, viewer);
  const unknown = plainWords.filter((_, index) => !known[index]);
  // One part of a name may be misspelt, so the parts are checked separately.
  const parts = unknown.flatMap((word) => word.split(/[^\p{L}\p{N}.]+/u).filter((part) => LETTER_OR_DIGIT.test(part)));
  const unknownParts = parts.filter((part) => !SIZE.test(part)).slice(0, MAX_WORDS);
  const partsOfWords = unknownParts.filter((part) => !unknown.includes(part));
  const occursInParts = await checkOccurrences(db, partsOfWords, viewer);
  const knownParts = partsOfWords.filter((_, index) => occursInParts[index]);
  const terms: Term[] = [
    ...[...words, ...parts].filter((word) => SIZE.test(word)).map(toSizeTerm),
    ...plainWords.filter((_, index) => known[index]).map((word) => ({ texts: [word] })),
  ];
  for (const part of unknownParts) {
    const texts = knownParts.includes(part) ? [part] : await findCorrections(db, part);
    terms.push(texts.length > 0 ? { texts } : { texts: [part], ignoreSeparators: true });
  }
  return terms.length === 0 ? null : { text: toRankingText(text, terms, unknown.length > 0), terms };
}

/** Returns the text for ranking names: the corrected terms if a word was corrected, otherwise the given text. */
function toRankingText(text: string, terms: readonly Term[], isCorrected: boolean): string {
  return isCorrected ? terms.map((term) => ("size" in term ? term.size : (term.texts[0] ?? ""))).join(" ") : text;
}

/** Returns the number of wrong letters that a word of this length may have. */
function maxMistakes(word: string): number {
  if (word.length <= 4) return 1;
  return word.length <= 8 ? 2 : 3;
}

/** Returns whether the words differ only in two swapped neighbouring letters. */
function isTransposition(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function toSizeTerm(size: string): Term {
  const scale = PARAMETERS_PER_UNIT[size.slice(-1)];
  return { size, parameters: size.includes("x") || !scale ? null : Number(size.slice(0, -1)) * scale };
}

const escapeLikePattern = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

/** Positions where spellings of a name differ in a separator: `phi4` and `phi-4`. */
const SEPARATOR_OR_DIGIT = /[-_./\d]/;

const SEPARATORS = /[-_./]/g;

/** The id in lower case, without the organization in the key of a private model. */
const MODEL_ID = sql`(case when models.source = 'private' then model_id_of(models.id_lower) else models.id_lower end)`;

/**
 * Returns the condition that the text occurs in the id. The key is searched first, because it contains the id and rules out
 * most rows at less cost.
 */
const idContains = (text: string) => sql<boolean>`(strpos(models.id_lower, ${text}) > 0
  and (models.source <> 'private' or strpos(model_id_of(models.id_lower), ${text}) > 0))`;

/** Returns the condition that the text occurs anywhere in the id. */
function occursInId(text: string, ignoreSeparators: boolean): RawBuilder<boolean> {
  const exactMatch = idContains(text);
  const joined = text.replaceAll(SEPARATORS, "");
  if (joined.length < MIN_INDEXED_LENGTH || !(ignoreSeparators || SEPARATOR_OR_DIGIT.test(text))) return exactMatch;
  return sql<boolean>`(${exactMatch} or strpos(translate(${MODEL_ID}, '/-_.', ''), ${joined}) > 0)`;
}

/**
 * Returns the condition that the text occurs in the id or starts another word. Its part on `joined_text` lets the index
 * exclude rows.
 */
function occurs(text: string, ignoreSeparators = false): RawBuilder<boolean> {
  const exactMatch = sql<boolean>`(${occursInId(text, ignoreSeparators)} or strpos(models.search_text, ${` ${text}`}) > 0)`;
  const joined = text.replaceAll(SEPARATORS, "");
  if (joined.length < MIN_INDEXED_LENGTH) return exactMatch;
  return sql<boolean>`(models.joined_text like ${`%${escapeLikePattern(joined)}%`} and ${exactMatch})`;
}

const orConditions = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** Returns the condition that a model matches a term. Its part on `size_words` lets the index exclude rows. */
export function matchesTerm(term: Term): RawBuilder<boolean> {
  if (!("size" in term)) return orConditions(term.texts.map((text) => occurs(text, term.ignoreSeparators)));
  const words = listSizeWords(term);
  if (words === undefined) return isOfSize(term);
  return sql<boolean>`(models.size_words && ${words}::text[] and ${isOfSize(term)})`;
}

type SizeTerm = Extract<Term, { size: string }>;

/** The number of size classes per unit of the natural logarithm, as in the database's function `size_words`. */
const SIZE_CLASSES = 32;
/** The logarithms of the database and of JavaScript may differ in the last digits. */
const LOGARITHM_TOLERANCE = 0.001;

/** Returns words of which every model of a size has at least one; undefined if there are none. */
function listSizeWords({ size, parameters }: SizeTerm): string[] | undefined {
  if (parameters === null) return [size];
  if (parameters <= 0) return undefined;
  const toClass = (count: number, tolerance: number) => Math.floor(Math.log(count) * SIZE_CLASSES + tolerance);
  const first = toClass(parameters * (1 - SIZE_TOLERANCE), -LOGARITHM_TOLERANCE);
  const last = toClass(parameters * (1 + SIZE_TOLERANCE), LOGARITHM_TOLERANCE);
  return [size, ...Array.from({ length: last - first + 1 }, (_, index) => `ln${first + index}`)];
}

/**
 * Returns the condition that a model has about as many parameters as the term, or has the size in its name and a number of
 * parameters in the nominal range.
 */
function isOfSize({ size, parameters }: SizeTerm): RawBuilder<boolean> {
  const isNamed = sql<boolean>`(${idContains(size)}
    and ${MODEL_ID} ~ ${`(^|[^0-9a-z.])${size.replaceAll(".", "\\.")}($|[^0-9a-z])`})`;
  if (parameters === null) return isNamed;
  const toParameters = (factor: number) => Math.min(Math.round(factor * parameters), Number.MAX_SAFE_INTEGER);
  const isWithin = (low: number, high: number) =>
    sql<boolean>`models.parameter_size between ${toParameters(low)} and ${toParameters(high)}`;
  return sql<boolean>`((${isWithin(...NOMINAL_SIZE_RANGE)} or models.parameter_size is null)
    and (${isWithin(1 - SIZE_TOLERANCE, 1 + SIZE_TOLERANCE)} or ${isNamed}))`;
}

/** Returns the number of terms that occur in the model's id, for ranking. */
export function countTermsInName(terms: readonly Term[]): RawBuilder<number> {
  const scores = terms.map((term) => {
    const inName =
      "size" in term
        ? isOfSize(term)
        : orConditions(term.texts.map((text) => occursInId(text, term.ignoreSeparators ?? false)));
    return sql<number>`(${inName})::integer`;
  });
  return sql<number>`(${sql.join(scores, sql` + `)})`;
}

/**
 * Returns the similarity of the best part of the model's id to the text, 0 to 1, nearly always equal to PostgreSQL's
 * `word_similarity` to one decimal. Patterns decide two frequent cases in a fraction of the time: an id with the same words
 * in a row, whose similarity is 1, and a word that starts with the only word of the text, which lacks only the last
 * trigram.
 */
export function similarityOfId(text: string): RawBuilder<number> {
  const similarity = sql<number>`word_similarity(${text}, models.id_lower)::float8`;
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return similarity;
  const start = `(^|[^[:alnum:]])${words.join("[^[:alnum:]]+")}`;
  const isWhole = sql<boolean>`models.id_lower ~ ${`${start}($|[^[:alnum:]])`}`;
  if (words.length > 1) return sql<number>`(case when ${isWhole} then 1 else ${similarity} end)`;
  const ofStart = sql<number>`1 - 1 / greatest(cardinality(show_trgm(${text})), 1)::float8`;
  return sql<number>`(case when models.id_lower ~ ${start} then case when ${isWhole} then 1 else ${ofStart} end
    else ${similarity} end)`;
}

/** Returns the words of a search, without sizes. */
export function listWords(search: Search | undefined): string[] {
  return search?.terms.flatMap((term) => ("size" in term ? [] : term.texts)) ?? [];
}

/** Runs `work` with sequential scans disabled, which the planner wrongly prefers for rare words. */
export function withIndexScans<T>(
  db: Database,
  words: readonly string[],
  work: (db: Database) => Promise<T>,
): Promise<T> {
  if (words.length === 0 || words.some((word) => word.length < MIN_INDEXED_LENGTH)) return work(db);
  return db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return work(trx);
  });
}
