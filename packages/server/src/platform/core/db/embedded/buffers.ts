import { totalmem } from "node:os";

const MEGABYTE_BYTES = 1024 * 1024;
/**
 * PostgreSQL's documentation recommends a quarter of the memory of a dedicated machine. Here, models need most of the
 * memory.
 */
const SHARE_OF_MEMORY = 1 / 8;
/** PostgreSQL's own default. */
const MIN_MEGABYTES = 128;
/** Enough for a catalogue of a million models. */
const MAX_MEGABYTES = 1024;

/**
 * Returns PostgreSQL's `shared_buffers` for a machine or container with this memory. PostgreSQL allocates the memory only
 * as data is read, so a small database uses little whatever the limit.
 */
export function chooseSharedBuffers(memoryBytes: number): string {
  const share = Math.floor((memoryBytes * SHARE_OF_MEMORY) / MEGABYTE_BYTES);
  return `${Math.min(Math.max(share, MIN_MEGABYTES), MAX_MEGABYTES)}MB`;
}

/** Returns the memory of this machine, or of its container if that is less, in bytes. */
export function readMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
