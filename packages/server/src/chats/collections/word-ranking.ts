import { wordsOf } from "../conversations/index.ts";

const MAX_QUERY_WORDS = 32;
/** Latin words of one or two letters, such as "a" and "of", say nothing beside longer ones. */
const SMALL_WORD = /^[a-z]{1,2}$/;
/** Longer words of a query find words that begin alike, so that "invoices" finds "invoicing". */
const STEM_LENGTH = 6;

/** A word of a query, and how much a passage that has it is worth. */
export type WeighedWord = { word: string; weight: number };

/** Returns the words of a query that are looked for. */
export function chooseWords(query: string): string[] {
  const words = [...wordsOf(query)];
  const long = words.filter((word) => !SMALL_WORD.test(word));
  return (long.length > 0 ? long : words).slice(0, MAX_QUERY_WORDS);
}

/** Returns whether a word of a passage is one that a query means. */
export const isMeant = (word: string, queried: string): boolean =>
  word === queried || (queried.length >= STEM_LENGTH && word.startsWith(queried.slice(0, STEM_LENGTH)));

/** The inverse document frequency of BM25: rare words count more, those of most passages next to nothing. */
export const weigh = (withWord: number, total: number): number =>
  Math.log(1 + (total - withWord + 0.5) / (withWord + 0.5));

/** Returns the sum of the weights of those words that a text has. */
export function scoreWords(words: readonly WeighedWord[], text: string): number {
  const textWords = [...wordsOf(text)];
  return words.reduce(
    (sum, { word, weight }) => sum + (textWords.some((other) => isMeant(other, word)) ? weight : 0),
    0,
  );
}
