import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { UnreadableDocumentError } from "./outcome.ts";

const MEGABYTE = 1024 * 1024;
const MAX_ENTRIES = 10_000;
const ENCRYPTED_FLAG = 1;

/** A ZIP archive whose parts can be read. */
export type Archive = {
  has(path: string): boolean;
  /** Opens a part. Throws `UnreadableDocumentError` if it is missing, or if all that was opened takes too much room. */
  open(path: string): Promise<Readable>;
};

/** Opens an archive in memory. `maxBytes` limits what its opened parts take unpacked, all together. */
export async function openArchive(bytes: Buffer, maxBytes: number): Promise<Archive> {
  const openZip = promisify<Buffer, object, ZipFile>(fromBuffer);
  // yauzl ends a part that has more bytes than the archive says, so the sizes that it says can be relied on.
  const zip = await openZip(bytes, { lazyEntries: true, validateEntrySize: true });
  const entries = await listEntries(zip);
  let openedBytes = 0;
  return {
    has: (path) => entries.has(path),
    open(path) {
      const entry = entries.get(path);
      if (entry === undefined) throw new UnreadableDocumentError({ kind: "damaged" });
      if ((entry.generalPurposeBitFlag & ENCRYPTED_FLAG) !== 0)
        throw new UnreadableDocumentError({ kind: "encrypted" });
      openedBytes += entry.uncompressedSize;
      if (openedBytes > maxBytes)
        throw new UnreadableDocumentError({
          kind: "too_large",
          reason: `it takes more than ${Math.floor(maxBytes / MEGABYTE)} MB unpacked`,
        });
      return promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry);
    },
  };
}

function listEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on("entry", (entry: Entry) => {
      entries.set(entry.fileName, entry);
      if (entries.size > MAX_ENTRIES) reject(new UnreadableDocumentError({ kind: "damaged" }));
      else zip.readEntry();
    });
    zip.once("end", () => resolve(entries));
    zip.once("error", reject);
    zip.readEntry();
  });
}
