import { fileURLToPath } from "node:url";
import type { Font } from "fontkit";

const REGULAR = "400Regular/NotoSans_400Regular.ttf";
const SEMI_BOLD = "600SemiBold/NotoSans_600SemiBold.ttf";
const NOT_IN_FONT = "?";

/** The fonts of documents, which are embedded in them. Both weights have the same characters. */
export type PdfFonts = { regularPath: string; boldPath: string; regular: Font };

/** A text as it can be drawn; `actual` is the whole text where some of its characters are not in the font. */
export type DrawableText = { text: string; actual: string | null };

/** Loads the fonts: Noto Sans, which has Latin, Greek, Cyrillic and Devanagari. */
export async function loadFonts(): Promise<PdfFonts> {
  const { openSync } = await import("fontkit");
  const [regularPath, boldPath] = [fontPath(REGULAR), fontPath(SEMI_BOLD)];
  const regular = openSync(regularPath);
  if (!("hasGlyphForCodePoint" in regular)) throw new Error(`${regularPath} holds several fonts.`);
  return { regularPath, boldPath, regular };
}

/** Replaces characters that the font lacks by question marks, which are readable where empty boxes are not. */
export function toDrawable(text: string, font: Pick<Font, "hasGlyphForCodePoint">): DrawableText {
  const plain = text.normalize("NFC").replaceAll(/\p{Cc}+/gu, " ");
  const drawn = Array.from(plain, (character) =>
    font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : NOT_IN_FONT,
  ).join("");
  return { text: drawn, actual: drawn === plain ? null : plain };
}

function fontPath(file: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${file}`));
}
