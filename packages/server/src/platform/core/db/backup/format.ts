import { createHash } from "node:crypto";
import { z } from "zod";

/*
 * A backup is a gzip file of frames, each with its length in front (4 bytes, big endian):
 *
 *   the magic text
 *   the header, as JSON: who made the backup, of which schema, with which tables
 *   for each table of the header: its rows in frames, as PostgreSQL's COPY writes them as text, and an empty frame
 *   the trailer, as JSON: rows and checksums of each table, sequences, and the checksum of the header
 *
 * The database is described by the names of its migrations, which create its tables, so that no schema is stored.
 */

/** First frame of every backup; the number changes with the format. */
export const MAGIC = "feather backup 1";

/** Longer frames are a sign of damage. The limit keeps a damaged file from using much memory. */
export const MAX_FRAME_BYTES = 1024 * 1024;

const name = z.string().min(1).max(63);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const headerSchema = z.object({
  program_version: z.string(),
  created_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: hash })),
  tables: z.array(z.object({ name, columns: z.array(name) })),
  /** The secret that encrypts columns: its fingerprint, and the secret itself if the backup contains it. */
  secret: z.object({ fingerprint: hash.nullable(), key: hash.nullable() }),
  /** Files of models in the data folder. The backup lists them, but does not contain them. */
  model_files: z.array(z.object({ path: z.string(), bytes: z.number() })),
});

const trailerSchema = z.object({
  header_sha256: hash,
  tables: z.array(
    z.object({
      name,
      rows: z.number(),
      /** The sum of the hashes of the rows, which does not depend on their order: see `checksums.ts`. */
      checksum: z.string().regex(/^-?\d+$/),
      /** The checksum of the bytes in the file. */
      sha256: hash,
    }),
  ),
  /** The last value of each sequence; null if it has returned none yet. */
  sequences: z.array(
    z.object({
      name,
      last_value: z
        .string()
        .regex(/^-?\d+$/)
        .nullable(),
    }),
  ),
});

/** The part of a backup before the tables. */
export type BackupHeader = z.infer<typeof headerSchema>;
/** The part of a backup after the tables. */
export type BackupTrailer = z.infer<typeof trailerSchema>;
/** The secret of the database in a backup. */
export type BackupSecret = BackupHeader["secret"];
/** A model file that the backup lists, but does not contain. */
export type ModelFile = BackupHeader["model_files"][number];
/** A table, and its columns without generated ones. */
export type TableColumns = BackupHeader["tables"][number];
/** A complete backup, without its rows. */
export type Backup = { header: BackupHeader; trailer: BackupTrailer };

/** The error of a file that cannot be restored: it is not a backup, truncated or damaged. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** Yields bytes as frames of at most `MAX_FRAME_BYTES`. */
export function* frames(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += MAX_FRAME_BYTES) {
    const part = bytes.subarray(start, start + MAX_FRAME_BYTES);
    yield frameLength(part.length);
    yield part;
  }
}

/** The frame that ends a table. */
export const EMPTY_FRAME = frameLength(0);

function frameLength(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

/** Yields a header or trailer as frames, with the empty frame that ends it. */
export function* framesOfJson(json: Buffer): Generator<Buffer> {
  yield* frames(json);
  yield EMPTY_FRAME;
}

/** Returns the bytes of a header or trailer. */
export const toJson = (value: BackupHeader | BackupTrailer): Buffer => Buffer.from(JSON.stringify(value));

/** Returns the SHA-256 of bytes, in hexadecimal. */
export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Reads a header. Throws a BackupError for anything else. */
export const parseHeader = (bytes: Buffer): BackupHeader => parse(headerSchema, bytes, "header");

/** Reads a trailer. Throws a BackupError for anything else. */
export const parseTrailer = (bytes: Buffer): BackupTrailer => parse(trailerSchema, bytes, "end");

function parse<T>(schema: z.ZodType<T>, bytes: Buffer, part: string): T {
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw new BackupError(`The backup is damaged: its ${part} cannot be read.`, { cause });
  }
}
