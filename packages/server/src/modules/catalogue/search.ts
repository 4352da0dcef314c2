import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { type Reader, visibleTo } from "./reader.ts";

/**
 * A term of a search: texts of which one must occur (`ignoreSeparators`: also across the separators of an id), or a
 * size such as `7b`, with its number of parameters if it has one.
 */
export type Term = { texts: readonly string[]; together?: true } | { size: string; parameters: number | null };

/** A parsed search: every term must match. Null for one that nothing can match. */
export type Search = { text: string; terms: readonly Term[] } | null;

const LONGEST = 200;
const MOST_WORDS = 8;
const ALTERNATIVES = 3;
const SIZE = /^(?:\d+x)?\d+(?:\.\d+)?[bmt]$/;
const SCALE: Record<string, number> = { m: 1e6, b: 1e9, t: 1e12 };
/** How far the parameter count may be from the size in a search, as a share. */
const ABOUT = 0.03;
/** The range of parameter counts behind a size in a name, as factors: "7B" is used for 6.7 and for 8.3 billion. */
const CALLED = [0.7, 1.4] as const;
/** The Levenshtein distance of two swapped letters. */
const TRANSPOSED = 2;
/** Shorter words have no trigram, so the index cannot find them. */
const INDEXED = 3;
const READABLE = /[\p{L}\p{N}]/u;

export type SearchReader = ReturnType<typeof createSearchReader>;

/** Parses searches. Words that the catalogue contains are kept, others are corrected to similar ones. */
export function createSearchReader(db: Database) {
  async function occurring(words: readonly string[], reader: Reader): Promise<boolean[]> {
    if (words.length === 0) return [];
    const common = await beginnings(words);
    const others = words.filter((word) => !common.has(word));
    if (others.length === 0) return words.map(() => true);
    const columns = others.map((word, index) =>
      sql<boolean>`exists (select 1 from models where ${visibleTo(reader)} and ${occurs(word)})`.as(`w${index}`),
    );
    const row: Record<string, boolean> = await withIndexes(db, others, (trx) =>
      trx.selectNoFrom(columns).executeTakeFirstOrThrow(),
    );
    return words.map((word) => common.has(word) || (row[`w${others.indexOf(word)}`] ?? false));
  }

  /** Returns the words that some word of the catalogue starts with. */
  async function beginnings(words: readonly string[]): Promise<Set<string>> {
    const columns = words.map((word, index) =>
      sql<boolean>`exists (select 1 from catalogue_words where word like ${`${pattern(word)}%`})`.as(`w${index}`),
    );
    const row: Record<string, boolean> = await db.selectNoFrom(columns).executeTakeFirstOrThrow();
    return new Set(words.filter((_, index) => row[`w${index}`]));
  }

  /** Returns the most similar words of the catalogue; empty if none is similar enough. */
  async function corrected(word: string): Promise<string[]> {
    if (word.length < 4) return [];
    const most = Math.max(mistakesIn(word), TRANSPOSED);
    const { rows } = await sql<{ word: string; distance: number }>`
      select word, levenshtein(word, ${word}) as distance
      from (
        select word from catalogue_words where word % ${word}
        union
        select word from catalogue_words where left(word, 1) = ${[...word][0]}
          and length(word) between ${word.length - most} and ${word.length + most}
      ) as near
      where levenshtein_less_equal(word, ${word}, ${most}) <= ${most}
      order by distance, similarity(word, ${word}) desc, word
      limit 20`.execute(db);
    const near = rows
      .map((row) => ({ ...row, distance: isTransposed(row.word, word) ? 1 : row.distance }))
      .filter(({ distance: d }) => d <= mistakesIn(word));
    const best = Math.min(...near.map((row) => row.distance));
    return near
      .filter((row) => row.distance === best)
      .slice(0, ALTERNATIVES)
      .map((row) => row.word);
  }

  return {
    async read(search: string | undefined, reader: Reader): Promise<Search | undefined> {
      const text = (search ?? "").trim().toLowerCase().slice(0, LONGEST);
      if (text === "") return undefined;
      const words = text.split(/\s+/).slice(0, MOST_WORDS);
      if (!words.every((word) => READABLE.test(word))) return null;
      const plain = words.filter((word) => !SIZE.test(word));
      const known = await occurring(plain, reader);
      const unknown = plain.filter((_, index) => !known[index]);
      // One part of a name may be misspelt, so each part is checked separately.
      const parts = unknown.flatMap((word) => word.split(/[^\p{L}\p{N}.]+/u).filter((part) => READABLE.test(part)));
      const broken = parts.filter((part) => !SIZE.test(part)).slice(0, MOST_WORDS);
      const whole = await occurring(broken, reader);
      const terms: Term[] = [
        ...[...words, ...parts].filter((word) => SIZE.test(word)).map(sizeTerm),
        ...plain.filter((_, index) => known[index]).map((word) => ({ texts: [word] })),
      ];
      for (const [index, part] of broken.entries()) {
        const texts = whole[index] ? [part] : await corrected(part);
        terms.push(texts.length > 0 ? { texts } : { texts: [part], together: true });
      }
      return terms.length === 0 ? null : { text: textOf(text, terms, unknown.length > 0), terms };
    },
  };
}

/** Returns the text that names are ranked by: the corrected terms if a word was corrected. */
function textOf(text: string, terms: readonly Term[], isCorrected: boolean): string {
  return isCorrected ? terms.map((term) => ("size" in term ? term.size : (term.texts[0] ?? ""))).join(" ") : text;
}

/** Returns how many wrong letters a word of this length may have. */
function mistakesIn(word: string): number {
  if (word.length <= 4) return 1;
  return word.length <= 8 ? 2 : 3;
}

/** Whether the words differ only in two swapped neighbouring letters. */
function isTransposed(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function sizeTerm(size: string): Term {
  const scale = SCALE[size.slice(-1)];
  return { size, parameters: size.includes("x") || !scale ? null : Number(size.slice(0, -1)) * scale };
}

const pattern = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

/** Where one spelling of a name may have a separator and another none: `phi4` and `phi-4`. */
const PARTED = /[-_./\d]/;

const MARKS = /[-_./]/g;

/** The id in lower case, without the organization in the key of a private model. */
const ID = sql`(case when models.source = 'private' then model_id_of(models.id_lower) else models.id_lower end)`;

/** Whether the text occurs anywhere in the id. */
function inId(text: string, together: boolean): RawBuilder<boolean> {
  const plain = sql<boolean>`strpos(${ID}, ${text}) > 0`;
  const joined = text.replaceAll(MARKS, "");
  if (joined.length < INDEXED || !(together || PARTED.test(text))) return plain;
  return sql<boolean>`(${plain} or strpos(translate(${ID}, '/-_.', ''), ${joined}) > 0)`;
}

/**
 * Whether the text occurs in the id or starts another word. The condition on `joined_text` lets the index exclude rows.
 */
function occurs(text: string, together = false): RawBuilder<boolean> {
  const exactly = sql<boolean>`(${inId(text, together)} or strpos(models.search_text, ${` ${text}`}) > 0)`;
  const joined = text.replaceAll(MARKS, "");
  if (joined.length < INDEXED) return exactly;
  return sql<boolean>`(models.joined_text like ${`%${pattern(joined)}%`} and ${exactly})`;
}

const anyOf = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** Whether a model matches a term. */
export function holds(term: Term): RawBuilder<boolean> {
  if (!("size" in term)) return anyOf(term.texts.map((text) => occurs(text, term.together)));
  const named = sql<boolean>`(strpos(${ID}, ${term.size}) > 0
    and ${ID} ~ ${`(^|[^0-9a-z.])${term.size.replaceAll(".", "\\.")}($|[^0-9a-z])`})`;
  if (term.parameters === null) return named;
  const times = (factor: number) => Math.min(Math.round(factor * (term.parameters ?? 0)), Number.MAX_SAFE_INTEGER);
  const within = (low: number, high: number) =>
    sql<boolean>`models.parameter_size between ${times(low)} and ${times(high)}`;
  // The index on sizes reduces the rows before names are compared.
  return sql<boolean>`((${within(...CALLED)} or models.parameter_size is null)
    and (${within(1 - ABOUT, 1 + ABOUT)} or ${named}))`;
}

/** Counts the terms that occur in the model's id, for ranking. */
export function namedBy(terms: readonly Term[]): RawBuilder<number> {
  const scores = terms.map((term) => {
    const inName = "size" in term ? holds(term) : anyOf(term.texts.map((text) => inId(text, term.together ?? false)));
    return sql<number>`(${inName})::integer`;
  });
  return sql<number>`(${sql.join(scores, sql` + `)})`;
}

/** Returns the words of a search, without sizes. */
export function wordsOf(search: Search | undefined): string[] {
  return search?.terms.flatMap((term) => ("size" in term ? [] : term.texts)) ?? [];
}

/** Runs `work` with sequential scans disabled: for rare words the planner prefers them wrongly. */
export function withIndexes<T>(db: Database, words: readonly string[], work: (db: Database) => Promise<T>): Promise<T> {
  if (words.length === 0 || words.some((word) => word.length < INDEXED)) return work(db);
  return db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return work(trx);
  });
}
