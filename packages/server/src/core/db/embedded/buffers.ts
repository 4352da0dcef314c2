import { totalmem } from "node:os";

const MEGABYTE_BYTES = 1024 * 1024;
/** PostgreSQL's documentation proposes a quarter of the memory for a machine of its own; here models need most of it. */
const SHARE_OF_MEMORY = 1 / 8;
/** PostgreSQL's own default. */
const MIN_MEGABYTES = 128;
/** Enough for a catalogue of a million models. */
const MAX_MEGABYTES = 1024;

/**
 * Returns PostgreSQL's `shared_buffers` for a machine or container with this memory. Memory is taken only as data is read
 * into it, so a small database takes little whatever the limit.
 */
export function chooseSharedBuffers(memoryBytes: number): string {
  const share = Math.floor((memoryBytes * SHARE_OF_MEMORY) / MEGABYTE_BYTES);
  return `${Math.min(Math.max(share, MIN_MEGABYTES), MAX_MEGABYTES)}MB`;
}

/** Returns the memory of this machine in bytes, or of its container where that is less. */
export function readMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
