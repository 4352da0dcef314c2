/** Control characters except tab and line feed, and bidirectional formatting characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is about control characters
const UNSAFE_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes untrusted text for a terminal. Every unsafe character is replaced by its escape (`\x1b`), so that sequences split
 * across chunks are safe too. Carriage returns are removed.
 */
export function sanitize(text: string): string {
  return text.replaceAll("\r", "").replace(UNSAFE_CHARACTERS, escapeCharacter);
}

/** Escapes untrusted text and makes it a single line: tabs and line breaks become spaces. */
export function sanitizeLine(text: string): string {
  return sanitize(text.replace(/[\t\r\n]+/g, " "));
}

/** Escapes control characters in JSON text; the JSON keeps its meaning. */
export function sanitizeJson(json: string): string {
  return json.replace(UNSAFE_CHARACTERS, (character) => `\\u${toHex(character, 4)}`);
}

function escapeCharacter(character: string): string {
  return character.charCodeAt(0) < 256 ? `\\x${toHex(character, 2)}` : `\\u${toHex(character, 4)}`;
}

function toHex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
