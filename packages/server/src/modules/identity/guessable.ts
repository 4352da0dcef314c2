import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { COMMON_WORDS } from "./common-words.ts";

/** Below this length a password needs more than a few letters beside its digits and signs. */
const SHORT = 14;
const FEW_LETTERS = 4;
/** Letters that digits and signs stand for in passwords such as `P@ssw0rd`. */
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

/**
 * Whether a password is among those that are guessed first: a common word, a row of keys, or a name that belongs to the
 * account or the site, whatever digits and signs stand around it, however its letters are replaced, and however often it
 * is repeated.
 */
export function isGuessedFirst(password: string, names: readonly string[]): boolean {
  const lower = password.normalize("NFKC").toLowerCase();
  if (new Set(lower).size <= 2 || COMMON_PASSWORDS.has(lower)) return true;
  const own = new Set(names.flatMap(partsOf));
  if (lower.length < SHORT && lettersOf(lower).length < FEW_LETTERS) return true;
  return formsOf(lower).some((form) => form.length >= 3 && (COMMON_WORDS.has(form) || own.has(form)));
}

/** The words that may be hidden in a password: without what surrounds them, without look-alikes, and once each. */
function formsOf(lower: string): string[] {
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const plain = [...lower].map((sign) => LOOK_ALIKES[sign] ?? sign).join("");
  const replaced = [...core].map((sign) => LOOK_ALIKES[sign] ?? sign).join("");
  return [...new Set([core, replaced, plain].map((text) => once(lettersOf(text))))];
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, "");
}

/** `abab` is `ab`. */
function once(text: string): string {
  return /^(.+?)\1+$/u.exec(text)?.[1] ?? text;
}

/** The words of a name or an address, each alone, all together, and those before the `@` together. */
function partsOf(name: string): string[] {
  const lower = name.toLowerCase();
  const words = lower.split(/[^\p{L}]+/u).filter((word) => word.length >= 3);
  return [...words, lettersOf(lower), lettersOf(lower.split("@")[0] ?? "")].map(once);
}
