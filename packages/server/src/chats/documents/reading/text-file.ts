import { LimitedText } from "./limited-text.ts";
import type { Contents } from "./outcome.ts";
import { UnreadableDocumentError } from "./outcome.ts";

const TYPES_BY_EXTENSION: Readonly<Record<string, Contents["type"]>> = {
  csv: "text/csv",
  tsv: "text/csv",
  md: "text/markdown",
  markdown: "text/markdown",
};
/** Files that a program wrote under these names are no texts, so a text with such a name is refused. */
const NAMES_OF_OTHERS = /\.(pdf|docx?|xlsx?|pptx?|odt|ods|zip|png|jpe?g)$/i;
const UTF16_SAMPLE_BYTES = 4096;
/** Control characters that no text has; tabs, line ends, form feeds and escapes are in some. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NO_TEXT = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;

/** Reads a text in UTF-8, UTF-16 or Windows-1252. Throws `UnreadableDocumentError` for other content. */
export function readTextFile(bytes: Buffer, name: string, maxCharacters: number): Contents {
  const text = decodeText(bytes);
  const [, extension] = NAMES_OF_OTHERS.exec(name) ?? [];
  if (text !== null && extension !== undefined)
    throw new UnreadableDocumentError({
      kind: "not_supported",
      reason: `it is called .${extension}, but its content is not of that kind`,
    });
  if (text === null)
    throw new UnreadableDocumentError({
      kind: "not_supported",
      reason: "it is no PDF, DOCX, XLSX or text",
    });
  const limited = new LimitedText(maxCharacters);
  limited.add(text.replaceAll("\r\n", "\n"));
  return {
    type: TYPES_BY_EXTENSION[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? "text/plain",
    text: limited.toString(),
    pages: null,
    pagesRead: null,
    cut_at: limited.isCut ? "characters" : null,
  };
}

/** Returns the text of bytes; null if they are no text. */
export function decodeText(bytes: Buffer): string | null {
  const encoding = detectUtf16(bytes);
  const text = encoding === null ? decodeEightBit(bytes) : new TextDecoder(encoding).decode(bytes);
  return NO_TEXT.test(text) ? null : text;
}

/** Windows-1252 is what remains when a text is not valid UTF-8; every byte has a character in it. */
function decodeEightBit(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Detects UTF-16 by its mark, or without one by the zeros that every other byte of European texts is. */
function detectUtf16(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe) return "utf-16le";
  if (mark === 0xfeff) return "utf-16be";
  const sample = bytes.subarray(0, UTF16_SAMPLE_BYTES);
  const countZeros = (rest: number) => sample.filter((byte, index) => byte === 0 && index % 2 === rest).length;
  const even = countZeros(0);
  const odd = countZeros(1);
  const most = sample.length / 2;
  if (odd > most * 0.7 && even < most * 0.1) return "utf-16le";
  return even > most * 0.7 && odd < most * 0.1 ? "utf-16be" : null;
}
