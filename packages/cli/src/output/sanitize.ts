/** Control characters, apart from tab and line feed, and marks that turn the direction of text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text of others, made harmless: a terminal runs nothing in it. Every harmful character is written out (`\x1b`), so
 * sequences that are split over chunks do no harm either. Carriage returns vanish.
 */
export function sanitize(text: string): string {
  return text.replaceAll("\r", "").replace(HARMFUL, writtenOut);
}

/** The same for a single line: tabs and line breaks become spaces. */
export function sanitizeLine(text: string): string {
  return sanitize(text.replace(/[\t\r\n]+/g, " "));
}

/** JSON that has no character in it that a terminal acts on. */
export function sanitizeJson(json: string): string {
  return json.replace(HARMFUL, (character) => `\\u${hex(character, 4)}`);
}

function writtenOut(character: string): string {
  return character.charCodeAt(0) < 256 ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`;
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
