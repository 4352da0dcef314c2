import { createHmac } from "node:crypto";

const SEGMENTER = new Intl.Segmenter("en", { granularity: "word" });
/** Letters and distinct words of a message that are searched, so that a very long one does not keep the server. */
const MAX_LETTERS = 200_000;
const MAX_WORDS = 4_000;
const SHORT = 3;
const LONG = 6;
const HASH_BYTES = 8;

/** Hashes a beginning of a word with a key of the organization, so that the database holds no words. */
export type HashWord = (word: string) => string;

/** Creates the function that hashes words: the first 8 bytes of HMAC-SHA-256, as a signed integer in digits. */
export function createWordHash(key: Uint8Array): HashWord {
  return (word) => createHmac("sha256", key).update(word).digest().subarray(0, HASH_BYTES).readBigInt64BE().toString();
}

/** Returns the text in the form in which texts are compared. */
export const normalize = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Returns the first distinct words of a text, in the form in which texts are compared. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const { segment, isWordLike } of SEGMENTER.segment(normalize(text.slice(0, MAX_LETTERS))))
    if (isWordLike && words.add(segment).size === MAX_WORDS) break;
  return words;
}

/**
 * Returns the hashes by which a text is found: of each word its first 3 and its first 6 letters, and of a shorter word the
 * whole.
 */
export function hashesOf(text: string, hash: HashWord): string[] {
  const hashes = new Set<string>();
  for (const word of wordsOf(text)) {
    const letters = [...word];
    if (letters.length < SHORT) hashes.add(hash(`=${word}`));
    for (const length of [SHORT, LONG]) if (letters.length >= length) hashes.add(hash(beginning(letters, length)));
  }
  return [...hashes];
}

/** Returns the hashes that a text has if it contains words that begin with these. It may have them without. */
export function hashesOfQuery(words: Iterable<string>, hash: HashWord): string[] {
  return [...words].map((word) => {
    const letters = [...word];
    if (letters.length < SHORT) return hash(`=${word}`);
    return hash(beginning(letters, letters.length < LONG ? SHORT : LONG));
  });
}

const beginning = (letters: readonly string[], length: number) => `${length}:${letters.slice(0, length).join("")}`;

/** Returns whether each of the words begins a word of the text; those of fewer than 3 letters have to be whole words of it. */
export function matches(text: string, query: Iterable<string>): boolean {
  const words = wordsOf(text);
  return [...query].every((start) =>
    [...start].length < SHORT ? words.has(start) : [...words].some((word) => word.startsWith(start)),
  );
}

const BEFORE = 30;
const AFTER = 70;

/** Returns the text around the first of the words; empty if none is there. */
export function excerptOf(text: string, query: Iterable<string>): string {
  const lower = text.toLowerCase();
  const places = [...query].map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return "";
  const place = Math.min(...places);
  const from = Math.max(0, place - BEFORE);
  const end = place + AFTER;
  const part = text.slice(from, end).replace(/\s+/g, " ").trim().toWellFormed();
  return `${from > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`;
}
