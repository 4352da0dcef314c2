import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { type Backup, BackupError } from "./format.ts";
import { NO_VISITOR, readBackup } from "./read-backup.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Writes a backup to a temporary file that only its owner may read, reads it back, and then renames it, so that a file with
 * the given name is always complete. Returns the contents. Throws an Error if the name is taken. Leaves no file after a
 * failure.
 */
export async function writeBackupFile(path: string, backup: AsyncIterable<Buffer>): Promise<Backup> {
  if (existsSync(path)) throw new Error(`${path} is there already. Name a file that is not.`);
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, "wx", 0o600);
  try {
    await pipeline(Readable.from(backup), createGzip(), file.createWriteStream({ flush: true }));
    const written = await readBackup(readBackupFile(partial), NO_VISITOR);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Yields the uncompressed bytes of a backup file. Throws a BackupError if they are damaged. */
export async function* readBackupFile(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const bytes = createGunzip({ chunkSize: CHUNK_BYTES });
  file.on("error", (error) => bytes.destroy(error));
  try {
    yield* file.pipe(bytes) as AsyncIterable<Buffer>;
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new BackupError(`${path} is no backup, or a damaged one (${error.message}).`, { cause: error });
  } finally {
    file.destroy();
    bytes.destroy();
  }
}

const isDamage = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");

/** Flushes a folder to the disk, so that a new name in it survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
