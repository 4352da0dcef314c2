import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A cached value and when it was stored, in milliseconds since 1970. */
export type CacheEntry<T> = { readonly at: number; readonly value: T };

/** Returns the cache entry of a key; undefined when there is none, or it cannot be read. */
export function readCache<T>(dir: string, key: readonly string[]): CacheEntry<T> | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(pathOf(dir, key), "utf8"));
    return typeof entry === "object" && entry !== null && "at" in entry && "value" in entry
      ? (entry as CacheEntry<T>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a cache entry, readable by its owner only. Write errors are ignored: nothing depends on the cache. */
export function writeCache<T>(dir: string, key: readonly string[], entry: CacheEntry<T>): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const path = pathOf(dir, key);
    const temporaryPath = `${path}.${process.pid}`;
    writeFileSync(temporaryPath, JSON.stringify(entry), { mode: 0o600 });
    renameSync(temporaryPath, path);
  } catch {
    // A full or read-only disk.
  }
}

const pathOf = (dir: string, key: readonly string[]): string =>
  join(dir, `${createHash("sha256").update(key.join("\0")).digest("hex").slice(0, 32)}.json`);
