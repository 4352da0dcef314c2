/** Characters that the API refuses in names, since they cannot be seen. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be replaced
  /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** Returns a text as the API takes it for a name: without characters that cannot be seen, and not too long. */
export const toName = (text: string, maxLength: number): string =>
  text.replace(HIDDEN, " ").slice(0, maxLength).toWellFormed().trim();
