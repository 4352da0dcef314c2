/** Invisible characters and those that change the direction of text, which are used to deceive. */
const DECEPTIVE_CHARACTERS = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters that look like Latin ones. */
const LATIN_LOOKALIKES = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** `https://…`, `www.…` and `name.tld`, which mail clients turn into links. */
const WEB_ADDRESS = /:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2,}/iu;
/** Words reserved for the platform itself. */
const RESERVED_WORDS = ["feather", "official"];

/** Returns why a name or description must not be stored, as the end of a sentence; null if it may be. */
export function findHiddenCharacters(text: string): string | null {
  return DECEPTIVE_CHARACTERS.test(text) ? "it holds characters that cannot be seen" : null;
}

/**
 * Returns why an application or organization must not be shown to others under this name, as the end of a sentence; null if
 * it may be.
 */
export function findPublicNameProblem(name: string, productName: string): string | null {
  const hidden = findHiddenCharacters(name);
  if (hidden !== null) return hidden;
  if (LATIN.test(name) && LATIN_LOOKALIKES.test(name)) return "it mixes letters of alphabets that look alike";
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const product = productName
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
  const reserved = [product, ...RESERVED_WORDS].filter((word) => word !== "");
  const reservedWord = reserved.find((word) => words.join("").startsWith(word) || words.includes(word));
  if (reservedWord !== undefined) return `"${reservedWord}" is reserved for this platform itself`;
  return null;
}

/** Returns whether a name contains text that mail clients turn into a link. */
export function hasWebAddress(name: string): boolean {
  return WEB_ADDRESS.test(name);
}
