import { acquireServerLock } from "../platform/core/db/server-lock.ts";
import { COMMAND_LOG, type OwnedDatabase } from "./open-database.ts";

/** A server that has just ended may hold its lock a moment longer. */
const LOCK_TIMEOUT_MS = 2_000;

/** Prevents servers from using the database while `work` runs. Throws an Error that names the server if one uses it. */
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
