import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { WaitTimeoutError } from "../errors.ts";

const POLL = 50;
const PATIENCE = 20_000;
/** A lock older than this belongs to a program that was killed. */
const ABANDONED = 15_000;

type Sleep = (milliseconds: number) => Promise<unknown>;

/**
 * Runs work while holding a lock between programs. The lock is a folder, because `mkdir` succeeds for one program only.
 * Throws `WaitTimeoutError` when the lock is not free within 20 seconds.
 */
export async function locked<T>(path: string, work: () => Promise<T>, sleep: Sleep = pause): Promise<T> {
  await take(path, sleep);
  try {
    return await work();
  } finally {
    forget(path);
  }
}

async function take(path: string, sleep: Sleep): Promise<void> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    try {
      mkdirSync(path);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    if (isAbandoned(path)) forget(path);
    else await sleep(POLL);
  }
  throw new WaitTimeoutError(`another feather holds ${path}`, `remove it if none runs`);
}

function isAbandoned(path: string): boolean {
  const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > ABANDONED;
}

function forget(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another program removed it as stale.
  }
}
