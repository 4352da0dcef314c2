import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { LimitedText } from "./limited-text.ts";
import type { Contents, ReadLimits } from "./outcome.ts";
import { UnreadableDocumentError } from "./outcome.ts";

const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
/** Tables that give the characters of Chinese, Japanese and Korean fonts. */
const CHARACTER_MAPS_FOLDER = `${join(PACKAGE_FOLDER, "cmaps")}/`;

/** Reads the text of a PDF, page by page. Throws `UnreadableDocumentError` for one that is damaged, encrypted or has no text. */
export async function readPdf(bytes: Buffer, limits: ReadLimits): Promise<Contents> {
  const pdf = await openPdf(bytes);
  const { numPages } = pdf;
  const text = new LimitedText(limits.characters);
  let pagesRead = 0;
  let hasText = false;
  while (pagesRead < Math.min(numPages, limits.pages) && !text.isCut) {
    pagesRead += 1;
    const pageText = await readPage(pdf, pagesRead);
    hasText ||= pageText !== "";
    text.add(`--- page ${pagesRead} of ${numPages} ---\n${pageText}\n\n`);
  }
  if (!hasText) throw new UnreadableDocumentError({ kind: "no_text" });
  return {
    type: "application/pdf",
    text: text.toString(),
    pages: numPages,
    pagesRead,
    cut_at: text.isCut ? "characters" : pagesRead < numPages ? "pages" : null,
  };
}

async function openPdf(bytes: Buffer): Promise<PDFDocumentProxy> {
  const data = new Uint8Array(bytes);
  const task = getDocument({ data, verbosity: 0, cMapUrl: CHARACTER_MAPS_FOLDER, cMapPacked: true });
  try {
    return await task.promise;
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === "PasswordException";
    throw isEncrypted ? new UnreadableDocumentError({ kind: "encrypted" }) : error;
  }
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items
    .map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : ""))
    .join("")
    .replaceAll("\0", "")
    .trim();
}
