import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findBinaries as findPackaged } from "./programs.ts";

/** The folder with bin, lib and share of the PostgreSQL that came with the installation. */
export function findBinaries(): string {
  return findPackaged().directory;
}

/** Copies the programs below `folder`, where the database's own user can read them, unless they are there. */
export function copyBinaries(native: string, folder: string): string {
  const copy = join(folder, "native");
  if (existsSync(copy)) return copy;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const unfinished = `${copy}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, copy);
  return copy;
}
