import { DOCUMENT_PART, readDocx } from "./docx.ts";
import { detectFileType } from "./file-type.ts";
import type { Contents, Outcome, ReadLimits } from "./outcome.ts";
import { UnreadableDocumentError } from "./outcome.ts";
import { decodeText, readTextFile } from "./text-file.ts";
import { readXlsx, WORKBOOK_PART } from "./xlsx.ts";
import { openArchive } from "./zip.ts";

/** In UTF-16: the name of the part with the content in a DOCX or XLSX that needs a password. */
const ENCRYPTED_PART = Buffer.from("EncryptedPackage", "utf16le");

/** Messages of V8 when there is no room for a buffer; pdf.js wraps the error in one of its own. */
const OUT_OF_MEMORY = /allocation failed|Invalid (typed )?array( buffer)? length|Invalid string length/i;

/** Reads a document that may be made to do harm; runs in a process of its own (`reader-process.ts`). */
export async function readDocument(bytes: Buffer, name: string, limits: ReadLimits): Promise<Outcome> {
  try {
    const contents = await read(bytes, name, limits);
    return contents.text === "" ? { problem: { kind: "no_text" } } : { contents };
  } catch (error) {
    if (error instanceof UnreadableDocumentError) return { problem: error.problem };
    if (error instanceof Error && OUT_OF_MEMORY.test(error.message))
      return { problem: { kind: "too_large", reason: "it takes too much memory" } };
    return { problem: { kind: "damaged" } };
  }
}

async function read(bytes: Buffer, name: string, limits: ReadLimits): Promise<Contents> {
  switch (detectFileType(bytes)) {
    case "pdf": {
      if (isTextAboutPdf(bytes, name)) return readTextFile(bytes, name, limits.characters);
      // Other documents are read without this library, which takes a while to load.
      const { readPdf } = await import("./pdf.ts");
      return readPdf(bytes, limits);
    }
    case "office":
      return readOffice(bytes, limits);
    case "old_office":
      if (bytes.includes(ENCRYPTED_PART)) throw new UnreadableDocumentError({ kind: "encrypted" });
      return refuse("it is a file of an old Office program. Save it as DOCX, XLSX or PDF");
    case "other":
      return refuse("it is no PDF, DOCX, XLSX or text");
    case "text":
      return readTextFile(bytes, name, limits.characters);
  }
}

/** Returns whether a file is a text in which the mark of PDFs is mentioned: notes or code, say. */
function isTextAboutPdf(bytes: Buffer, name: string): boolean {
  return bytes.indexOf("%PDF-") > 0 && !/\.pdf$/i.test(name) && decodeText(bytes) !== null;
}

async function readOffice(bytes: Buffer, limits: ReadLimits): Promise<Contents> {
  const archive = await openArchive(bytes, limits.unpackedBytes);
  if (archive.has(DOCUMENT_PART)) return readDocx(archive, limits);
  if (archive.has(WORKBOOK_PART)) return readXlsx(archive, limits);
  return refuse("it is a ZIP archive that is no DOCX and no XLSX");
}

function refuse(reason: string): never {
  throw new UnreadableDocumentError({ kind: "not_supported", reason });
}
