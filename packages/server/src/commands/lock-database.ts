import { acquireServerLock } from "../core/db/server-lock.ts";
import { COMMAND_LOG, type OwnedDatabase } from "./open-database.ts";

/** A server that ended just now may still hold its lock for a moment. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Keeps servers from the database while `work` runs. Throws an Error that names the server when one has it.
 */
export async function withServerLock<T>({ target }: OwnedDatabase, work: () => Promise<T>): Promise<T> {
  const lock = await acquireServerLock(target, {
    log: COMMAND_LOG,
    timeoutMs: LOCK_TIMEOUT_MS,
    onLost: (error) => COMMAND_LOG.warn(error.message),
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
