import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { COMMON_WORDS } from "./common-words.ts";

/** Passwords shorter than this need a minimum of letters. */
const SHORT = 14;
const FEW_LETTERS = 4;
/** The letters that digits and signs replace in passwords such as `P@ssw0rd`. */
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
 * Returns whether a password is easily guessed: a common word, a keyboard row, or a name of the account or the site,
 * regardless of digits and signs around it, of letters replaced by look-alikes, and of repetition.
 */
export function isGuessedFirst(password: string, names: readonly string[]): boolean {
  const lower = password.normalize("NFKC").toLowerCase();
  if (new Set(lower).size <= 2 || COMMON_PASSWORDS.has(lower)) return true;
  const own = new Set(names.flatMap(partsOf));
  if (lower.length < SHORT && lettersOf(lower).length < FEW_LETTERS) return true;
  return formsOf(lower).some((form) => form.length >= 3 && (COMMON_WORDS.has(form) || own.has(form)));
}

/** Returns the words that a password may be built from: without surrounding signs, look-alikes and repetition. */
function formsOf(lower: string): string[] {
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const plain = [...lower].map((sign) => LOOK_ALIKES[sign] ?? sign).join("");
  const replaced = [...core].map((sign) => LOOK_ALIKES[sign] ?? sign).join("");
  return [...new Set([core, replaced, plain].map((text) => once(lettersOf(text))))];
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, "");
}

/** Returns `ab` for `abab`. */
function once(text: string): string {
  return /^(.+?)\1+$/u.exec(text)?.[1] ?? text;
}

/** Returns the words of a name or an e-mail address: each alone, all joined, and those before the `@` joined. */
function partsOf(name: string): string[] {
  const lower = name.toLowerCase();
  const words = lower.split(/[^\p{L}]+/u).filter((word) => word.length >= 3);
  return [...words, lettersOf(lower), lettersOf(lower.split("@")[0] ?? "")].map(once);
}
