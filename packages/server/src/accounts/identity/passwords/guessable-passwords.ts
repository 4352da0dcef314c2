import { COMMON_BASE_WORDS, COMMON_PASSWORDS } from "./common-passwords.ts";
import { COMMON_WORDS } from "./common-words.ts";

/** Shorter passwords need a minimum number of letters. */
const SHORT_PASSWORD_LENGTH = 14;
const MIN_LETTERS_IF_SHORT = 4;
/** The letters for which digits and signs stand in passwords such as `P@ssw0rd`. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Words that passwords are built from, without repetition, like the variants of a password. */
const BASE_WORDS: ReadonlySet<string> = new Set([...COMMON_WORDS, ...COMMON_BASE_WORDS].map(removeRepetition));

/**
 * Returns whether a password is easy to guess: a leaked password, a common word, a keyboard row, or a name of the account
 * or the site. Digits and signs around it, look-alikes of letters, and repetition are ignored.
 */
export function isGuessablePassword(password: string, names: readonly string[]): boolean {
  const lower = password.normalize("NFKC").toLowerCase();
  if (new Set(lower).size <= 2 || COMMON_PASSWORDS.has(lower)) return true;
  const ownWords = new Set(names.flatMap(toNameParts));
  if (lower.length < SHORT_PASSWORD_LENGTH && keepLetters(lower).length < MIN_LETTERS_IF_SHORT) return true;
  return toVariants(lower).some((variant) => variant.length >= 3 && (BASE_WORDS.has(variant) || ownWords.has(variant)));
}

/** Returns the words that a password may be built from: without surrounding signs, look-alikes and repetition. */
function toVariants(lower: string): string[] {
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const plain = [...lower].map((character) => LOOK_ALIKES[character] ?? character).join("");
  const replaced = [...core].map((character) => LOOK_ALIKES[character] ?? character).join("");
  return [...new Set([core, replaced, plain].map((text) => removeRepetition(keepLetters(text))))];
}

function keepLetters(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, "");
}

/** Returns `ab` for `abab`. */
function removeRepetition(text: string): string {
  return /^(.+?)\1+$/u.exec(text)?.[1] ?? text;
}

/** Returns the words of a name or an e-mail address: each of them, all of them joined, and those before the `@` joined. */
function toNameParts(name: string): string[] {
  const lower = name.toLowerCase();
  const words = lower.split(/[^\p{L}]+/u).filter((word) => word.length >= 3);
  return [...words, keepLetters(lower), keepLetters(lower.split("@")[0] ?? "")].map(removeRepetition);
}
