import { execFile } from "node:child_process";
import type { Clock } from "../../platform/core/clock.ts";

const QUERY = ["--query-gpu=name,memory.total,memory.free", "--format=csv,noheader,nounits"];
const QUERY_TIMEOUT_MS = 10_000;
/** The graphics cards are read again after this time, since `nvidia-smi` takes up to a second. */
const MAX_AGE_MS = 10_000;
const BYTES_PER_MEBIBYTE = 1024 * 1024;

/** A graphics card and its memory, in bytes. */
export type Gpu = { name: string; totalBytes: number; freeBytes: number };

/** Returns the graphics cards that `nvidia-smi` lists; none if the command is missing or fails. Never rejects. */
export function readGpus(command = "nvidia-smi"): Promise<Gpu[]> {
  return new Promise((resolve) => {
    execFile(command, QUERY, { encoding: "utf8", timeout: QUERY_TIMEOUT_MS }, (error, stdout) =>
      resolve(error ? [] : parseGpus(stdout)),
    );
  });
}

/** Returns a function that reads the graphics cards at most once in ten seconds. */
export function createGpuReader(clock: Clock, read: () => Promise<Gpu[]> = readGpus): () => Promise<Gpu[]> {
  let last: { at: number; gpus: Promise<Gpu[]> } | undefined;
  return () => {
    const now = clock.now().getTime();
    if (last === undefined || now - last.at > MAX_AGE_MS) last = { at: now, gpus: read() };
    return last.gpus;
  };
}

/** Parses lines such as `NVIDIA H100 80GB HBM3, 81559, 81008`, with memory in MiB. Other lines are left out. */
export function parseGpus(text: string): Gpu[] {
  return text.split("\n").flatMap((line) => {
    const [, name, total, free] = /^\s*(.+?),\s*(\d+),\s*(\d+)\s*$/.exec(line) ?? [];
    if (name === undefined) return [];
    return [{ name, totalBytes: Number(total) * BYTES_PER_MEBIBYTE, freeBytes: Number(free) * BYTES_PER_MEBIBYTE }];
  });
}
