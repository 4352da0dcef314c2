import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A cached value and when it was stored, in milliseconds since 1970. */
export type Kept<T> = { readonly at: number; readonly value: T };

/** Returns the cache entry of a key; undefined when there is none, or it cannot be read. */
export function readCache<T>(dir: string, key: readonly string[]): Kept<T> | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(pathOf(dir, key), "utf8"));
    return typeof kept === "object" && kept !== null && "at" in kept && "value" in kept ? (kept as Kept<T>) : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a cache entry, readable by its owner only. Write errors are ignored: nothing depends on the cache. */
export function writeCache<T>(dir: string, key: readonly string[], kept: Kept<T>): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const path = pathOf(dir, key);
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A full or read-only disk.
  }
}

const pathOf = (dir: string, key: readonly string[]): string =>
  join(dir, `${createHash("sha256").update(key.join("\0")).digest("hex").slice(0, 32)}.json`);
