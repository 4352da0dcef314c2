import { basename } from "node:path";
import type { DocumentText } from "@feather/sdk";
import { DOCUMENT_TIMEOUT_MS, MAX_FILE_BYTES, readBytes } from "../../chat/document-files.ts";
import type { Context } from "../../context.ts";

/** A PDF may hold nothing but characters of texts. */
const PDF_MARK = "%PDF-";

/** Has the server read the text of a document. */
export type ReadDocument = (bytes: Buffer<ArrayBuffer>, name: string) => Promise<DocumentText>;

/** Creates what has documents read by the server, which is asked only when there is one. */
export const createDocumentReader =
  ({ signedInClient, signal }: Pick<Context, "signedInClient" | "signal">): ReadDocument =>
  async (bytes, name) => {
    const client = await signedInClient();
    return client.documents.read({ file: new File([bytes], name) }, { signal, timeout: DOCUMENT_TIMEOUT_MS });
  };

/**
 * Returns a file as part of a prompt: its name, then its text in a code fence. Texts are read here, and other documents by the
 * server. A document that was cut is named with what is left of it.
 */
export async function readFilePart(path: string, readDocument: ReadDocument): Promise<string> {
  const bytes = await readBytes(path, MAX_FILE_BYTES);
  const name = basename(path);
  const text = decodeText(bytes);
  if (text !== null) return toFencedPart(name, text);
  const document = await readDocument(bytes, name);
  return toFencedPart(describeDocument(document), document.text);
}

/** Returns what came on stdin: the text itself, or a document as part of a prompt. */
export async function readPipedPart(bytes: Buffer<ArrayBuffer>, readDocument: ReadDocument): Promise<string> {
  const text = decodeText(bytes);
  if (text !== null) return text.trimEnd();
  const document = await readDocument(bytes, "stdin");
  return toFencedPart(describeDocument(document), document.text);
}

/** Returns the text of bytes in UTF-8; null for other content. */
function decodeText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.startsWith(PDF_MARK) || text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Returns the name of a document, and how much of it was read if it was cut. */
function describeDocument({ name, pages, pages_read: read, cut_at }: DocumentText): string {
  if (cut_at === null) return name;
  return pages === null ? `${name} (cut)` : `${name} (${read} of ${pages} pages, cut)`;
}

function toFencedPart(name: string, text: string): string {
  const runs = [...text.matchAll(/^`{3,}/gm)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${name}:\n${fence}\n${text.trimEnd()}\n${fence}`;
}
