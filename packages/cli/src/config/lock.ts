import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { WaitTimeoutError } from "../errors.ts";

const POLL_INTERVAL_MS = 50;
const TIMEOUT_MS = 20_000;
/** A lock older than this belongs to a program that was killed. */
const STALE_AFTER_MS = 15_000;

type Sleep = (milliseconds: number) => Promise<unknown>;

/**
 * Runs work while holding a lock between programs. The lock is a folder, because `mkdir` succeeds for one program only.
 * Throws `WaitTimeoutError` when the lock is not free within 20 seconds.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, sleep: Sleep = pause): Promise<T> {
  await acquire(path, sleep);
  try {
    return await work();
  } finally {
    release(path);
  }
}

async function acquire(path: string, sleep: Sleep): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; ) {
    try {
      mkdirSync(path);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    if (isStale(path)) release(path);
    else await sleep(POLL_INTERVAL_MS);
  }
  throw new WaitTimeoutError(`another feather holds ${path}`, `remove it if none runs`);
}

function isStale(path: string): boolean {
  const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > STALE_AFTER_MS;
}

function release(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another program removed it as stale.
  }
}
