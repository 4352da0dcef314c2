/** What a file is by its first bytes. `office` is a ZIP archive, which may be a DOCX or XLSX. */
export type FileType = "pdf" | "office" | "old_office" | "other" | "text";

const PDF_MARK = "%PDF-";
/** Programs accept a PDF that begins within this number of bytes. */
const PDF_MARK_WITHIN = 1024;
const BEGINNINGS: readonly (readonly [FileType, string])[] = [
  ["office", "PK\u0003\u0004"],
  ["old_office", "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1"],
  ["other", "{\\rtf"],
  ["other", "%!PS"],
  ["other", "\u0089PNG"],
  ["other", "\u00ff\u00d8\u00ff"],
  ["other", "GIF8"],
  ["other", "\u001f\u008b"],
  ["other", "\u007fELF"],
];

/** Tells what a file is by its content, whatever its name says. */
export function detectFileType(bytes: Buffer): FileType {
  const head = bytes.toString("latin1", 0, PDF_MARK_WITHIN);
  const found = BEGINNINGS.find(([, beginning]) => head.startsWith(beginning));
  if (found) return found[0];
  return head.includes(PDF_MARK) ? "pdf" : "text";
}
