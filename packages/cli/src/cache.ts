import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Kept<T> = { readonly at: number; readonly value: T };

/** What was kept under a key; undefined when there is nothing, or nothing that can be read. */
export function readCache<T>(dir: string, key: readonly string[]): Kept<T> | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(pathOf(dir, key), "utf8"));
    return typeof kept === "object" && kept !== null && "at" in kept && "value" in kept ? (kept as Kept<T>) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps something, for its owner only. What cannot be written is not kept: nothing depends on it. */
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
