import { createHash } from "node:crypto";
import {
  type Backup,
  BackupError,
  type BackupHeader,
  type BackupTrailer,
  MAGIC,
  MAX_FRAME_BYTES,
  parseHeader,
  parseTrailer,
  sha256,
  type TableColumns,
} from "./format.ts";

/** Headers and trailers have a few hundred bytes for each table and each model file. */
const MAX_JSON_BYTES = 64 * MAX_FRAME_BYTES;

/** Receives the parts of a backup while it is read. */
export type BackupVisitor = {
  begin(header: BackupHeader): Promise<void>;
  /** Receives a table. It must read all rows. */
  table(table: TableColumns, rows: AsyncIterable<Buffer>): Promise<void>;
};

/** Reads rows to their end and discards them. */
export async function drain(rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of rows);
}

/** Discards everything. Used to check whether a backup is complete. */
export const NO_VISITOR: BackupVisitor = { begin: async () => {}, table: (_table, rows) => drain(rows) };

/**
 * Reads a backup and passes its tables to the visitor. The backup is complete only when this returns. Throws a BackupError
 * at the end of a damaged table, and if the file ends too early.
 */
export async function readBackup(source: AsyncIterable<Buffer>, visitor: BackupVisitor): Promise<Backup> {
  const input = readFrames(source);
  const magic = await nextFrame(input);
  if (magic.toString("latin1") !== MAGIC)
    throw new BackupError("This is no backup, or one of a newer version of the server.");
  const headerBytes = await readJson(input);
  const header = parseHeader(headerBytes);
  await visitor.begin(header);
  const hashes: string[] = [];
  for (const table of header.tables) hashes.push(await visitTable(table, input, visitor));
  const trailer = parseTrailer(await readJson(input));
  if (!(await input.next()).done) throw damaged("something follows its end");
  if (trailer.header_sha256 !== sha256(headerBytes)) throw damaged("its header has been changed");
  checkTables(header, trailer, hashes);
  return { header, trailer };
}

async function visitTable(table: TableColumns, input: AsyncGenerator<Buffer>, visitor: BackupVisitor): Promise<string> {
  const hash = createHash("sha256");
  let isWhole = false;
  async function* rows(): AsyncGenerator<Buffer> {
    for (let frame = await nextFrame(input); frame.length > 0; frame = await nextFrame(input)) {
      hash.update(frame);
      yield frame;
    }
    isWhole = true;
  }
  await visitor.table(table, rows());
  if (!isWhole) throw new Error(`The rows of ${table.name} were not read to their end.`);
  return hash.digest("hex");
}

function checkTables(header: BackupHeader, trailer: BackupTrailer, hashes: readonly string[]): void {
  if (trailer.tables.length !== header.tables.length) throw damaged("its tables have been changed");
  for (const [index, { name }] of header.tables.entries()) {
    const table = trailer.tables[index];
    if (table?.name !== name || table.sha256 !== hashes[index]) throw damaged(`the rows of ${name} have been changed`);
  }
}

async function readJson(input: AsyncGenerator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for (let frame = await nextFrame(input); frame.length > 0; frame = await nextFrame(input)) {
    length += frame.length;
    if (length > MAX_JSON_BYTES) throw damaged("its list of contents is too long");
    parts.push(frame);
  }
  return Buffer.concat(parts);
}

async function nextFrame(input: AsyncGenerator<Buffer>): Promise<Buffer> {
  const { value, done } = await input.next();
  if (done) throw damaged("it ends too early");
  return value;
}

/** Yields the content of each frame. */
async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes]);
    for (let end = frameEnd(rest); end !== undefined && end <= rest.length; end = frameEnd(rest)) {
      yield rest.subarray(4, end);
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw damaged("it ends too early");
}

function frameEnd(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length > MAX_FRAME_BYTES) throw damaged("a part of it is too long");
  return 4 + length;
}

const damaged = (reason: string): BackupError => new BackupError(`The backup is damaged: ${reason}.`);
