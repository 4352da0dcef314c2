import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { type Reader, visibleTo } from "./reader.ts";

/**
 * A word of a search: texts any of which may occur, `together` where an id's own parting of words does not count; or a
 * size as names and people write it.
 */
export type Term = { texts: readonly string[]; together?: true } | { size: string; parameters: number | null };

/** A search as it was understood: every term must hold. Null for one that nothing can match. */
export type Search = { text: string; terms: readonly Term[] } | null;

const LONGEST = 200;
const MOST_WORDS = 8;
const ALTERNATIVES = 3;
const SIZE = /^(?:\d+x)?\d+(?:\.\d+)?[bmt]$/;
const SCALE: Record<string, number> = { m: 1e6, b: 1e9, t: 1e12 };
/** How far from a round size the sizes are that people call by it. */
const ABOUT = 0.03;
/** How much smaller or larger than a size models are whose names state it: 7B stands for 6.7 and for 8.3 billion. */
const CALLED = [0.7, 1.4] as const;
/** Two letters that changed places count as two mistakes where only letters are compared. */
const TRANSPOSED = 2;
/** A word shorter than this has no trigram to look it up by. */
const INDEXED = 3;
const READABLE = /[\p{L}\p{N}]/u;

export type SearchReader = ReturnType<typeof createSearchReader>;

/** Reads searches: words as they are where the catalogue has them, else as the words they are misspellings of. */
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

  /** Those that words of the catalogue begin with. */
  async function beginnings(words: readonly string[]): Promise<Set<string>> {
    const columns = words.map((word, index) =>
      sql<boolean>`exists (select 1 from catalogue_words where word like ${`${pattern(word)}%`})`.as(`w${index}`),
    );
    const row: Record<string, boolean> = await db.selectNoFrom(columns).executeTakeFirstOrThrow();
    return new Set(words.filter((_, index) => row[`w${index}`]));
  }

  /** The words of the catalogue that a word is nearest to, if it is near to any. */
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
      // A name with a misspelt part: each part for itself.
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

/** What the names are compared with: the words as they were meant. */
function textOf(text: string, terms: readonly Term[], isCorrected: boolean): string {
  return isCorrected ? terms.map((term) => ("size" in term ? term.size : (term.texts[0] ?? ""))).join(" ") : text;
}

/** How many mistakes a word of this length may hold and still be recognized. */
function mistakesIn(word: string): number {
  if (word.length <= 4) return 1;
  return word.length <= 8 ? 2 : 3;
}

/** Whether two letters beside each other changed places. */
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

/** Names are parted before numbers or not, and with any mark: `phi4` and `phi-4`. */
const PARTED = /[-_./\d]/;

const MARKS = /[-_./]/g;

/** The id in small letters, without the organization that is in the key of a private model. */
const ID = sql`(case when models.source = 'private' then model_id_of(models.id_lower) else models.id_lower end)`;

/** Anywhere in the id. */
function inId(text: string, together: boolean): RawBuilder<boolean> {
  const plain = sql<boolean>`strpos(${ID}, ${text}) > 0`;
  const joined = text.replaceAll(MARKS, "");
  if (joined.length < INDEXED || !(together || PARTED.test(text))) return plain;
  return sql<boolean>`(${plain} or strpos(translate(${ID}, '/-_.', ''), ${joined}) > 0)`;
}

/** In the id, and at the beginning of any other word. What cannot be either is left out by the index. */
function occurs(text: string, together = false): RawBuilder<boolean> {
  const exactly = sql<boolean>`(${inId(text, together)} or strpos(models.search_text, ${` ${text}`}) > 0)`;
  const joined = text.replaceAll(MARKS, "");
  if (joined.length < INDEXED) return exactly;
  return sql<boolean>`(models.joined_text like ${`%${pattern(joined)}%`} and ${exactly})`;
}

const anyOf = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** Whether a model is what a term means. */
export function holds(term: Term): RawBuilder<boolean> {
  if (!("size" in term)) return anyOf(term.texts.map((text) => occurs(text, term.together)));
  const named = sql<boolean>`(strpos(${ID}, ${term.size}) > 0
    and ${ID} ~ ${`(^|[^0-9a-z.])${term.size.replaceAll(".", "\\.")}($|[^0-9a-z])`})`;
  if (term.parameters === null) return named;
  const times = (factor: number) => Math.min(Math.round(factor * (term.parameters ?? 0)), Number.MAX_SAFE_INTEGER);
  const within = (low: number, high: number) =>
    sql<boolean>`models.parameter_size between ${times(low)} and ${times(high)}`;
  // The index of sizes narrows the models down before names are read.
  return sql<boolean>`((${within(...CALLED)} or models.parameter_size is null)
    and (${within(1 - ABOUT, 1 + ABOUT)} or ${named}))`;
}

/** How many of the terms are in the name itself, for the order. */
export function namedBy(terms: readonly Term[]): RawBuilder<number> {
  const scores = terms.map((term) => {
    const inName = "size" in term ? holds(term) : anyOf(term.texts.map((text) => inId(text, term.together ?? false)));
    return sql<number>`(${inName})::integer`;
  });
  return sql<number>`(${sql.join(scores, sql` + `)})`;
}

/** The words of a search that are looked up as they are. */
export function wordsOf(search: Search | undefined): string[] {
  return search?.terms.flatMap((term) => ("size" in term ? [] : term.texts)) ?? [];
}

/** Looks words up in the indexes even where reading the whole table seems as good: for rare words it never is. */
export function withIndexes<T>(db: Database, words: readonly string[], work: (db: Database) => Promise<T>): Promise<T> {
  if (words.length === 0 || words.some((word) => word.length < INDEXED)) return work(db);
  return db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return work(trx);
  });
}
