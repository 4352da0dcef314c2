/** Characters that cannot be seen, or that change the order in which others are read: no name needs them but a false one. */
const DECEPTIVE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const LATIN = /\p{Script=Latin}/u;
/** Alphabets whose letters look like Latin ones. */
const LATIN_LOOKALIKES = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** `https://…`, `www.…` and `name.tld`, which mail programs turn into links. */
const WEB_ADDRESS = /:\/\/|www\.|[\p{L}\p{N}]\.\p{L}{2,}/iu;
/** Words that only this platform may use of itself. */
const OFFICIAL = ["feather", "official"];

/** Why strangers cannot be shown this name of an application or an organization, as the end of a sentence; else null. */
export function publicNameFault(name: string, productName: string): string | null {
  if (DECEPTIVE.test(name)) return "it holds characters that cannot be seen";
  if (LATIN.test(name) && LATIN_LOOKALIKES.test(name)) return "it mixes letters of alphabets that look alike";
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const product = productName
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
  const reserved = [product, ...OFFICIAL].filter((word) => word !== "");
  const claims = reserved.find((word) => words.join("").startsWith(word) || words.includes(word));
  if (claims !== undefined) return `"${claims}" is reserved for this platform itself`;
  return null;
}

/** Whether a name holds something that reads as the address of a web page. */
export function hasWebAddress(name: string): boolean {
  return WEB_ADDRESS.test(name);
}
