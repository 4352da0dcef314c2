import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Outcome, ReadLimits } from "./reading/outcome.ts";

const MAIN = fileURLToPath(new URL("reading/main.ts", import.meta.url));
/** What the process may read: its code, and the installed packages. */
const READABLE = ["reading", "../../../package.json", "../../../node_modules", "../../../../../node_modules"];
/** The share of the memory that the heap may take. Libraries unpack beside it. */
const HEAP_SHARE = 0.5;
/** What Node reserves when it starts, without using it. The system counts it too. */
const RESERVED_MEGABYTES = 768;
const KB_OF_MB = 1024;
const SECOND_MS = 1_000;
/** The most bytes that a character takes as JSON, `\\u001b`, and room for the other fields of an outcome. */
const BYTES_OF_CHARACTER = 6;
const OTHER_BYTES = 64 * 1024;
/** What is kept of what the process says when it fails. */
const LOG_BYTES = 64 * 1024;

/** What a document is read with: the limits of its content, of the time in seconds, and of the memory of the process. */
export type ReaderLimits = ReadLimits & { seconds: number; memoryMegabytes: number };

/**
 * Reads a document in a process of its own, which has no environment, no network, no other files, and limits of memory and time. It is
 * killed when it takes too long or `signal` is aborted, whose reason is then thrown. The outcome says that a document took too
 * much, or made the process fail.
 */
export async function readInProcess(
  bytes: Uint8Array,
  name: string,
  limits: ReaderLimits,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted();
  const { seconds, memoryMegabytes, ...readLimits } = limits;
  const request = JSON.stringify({ name, limits: readLimits });
  const timeLimit = AbortSignal.timeout(seconds * SECOND_MS);
  const tooLong = new AbortController();
  const child = spawn(...toSandboxCommand({ seconds, memoryMegabytes }, [MAIN, request]), {
    cwd: "/",
    env: {},
    stdio: ["pipe", "pipe", "pipe"],
    signal: AbortSignal.any([signal, timeLimit, tooLong.signal]),
    killSignal: "SIGKILL",
  });
  child.on("error", () => {}); // the exit tells it
  child.stdin?.on("error", () => {}); // the process has ended
  child.stdin?.end(bytes);
  const [output, log] = await Promise.all([
    readBeginning(child.stdout, limits.characters * BYTES_OF_CHARACTER + OTHER_BYTES, () => tooLong.abort()),
    readBeginning(child.stderr, LOG_BYTES, () => {}),
    child.pid === undefined ? null : once(child, "close").catch(() => null),
  ]);
  signal.throwIfAborted();
  if (timeLimit.aborted) return { problem: { kind: "too_large", reason: `it takes more than ${seconds} s` } };
  if (tooLong.signal.aborted) return { problem: { kind: "damaged" } };
  if (child.exitCode === 0) return JSON.parse(output) as Outcome;
  if (child.pid === undefined) throw new Error("No process could be started to read a document.");
  // Without memory Node ends itself by a signal, in several ways of which not all say why.
  const isOutOfMemory = child.signalCode !== null || /out of memory|allocation failed|bad_alloc/i.test(log);
  return { problem: isOutOfMemory ? { kind: "too_large", reason: "it takes too much memory" } : { kind: "damaged" } };
}

/** Reads a stream to its end and returns its first `maxBytes` as text. Calls `onMore` when it has more. */
async function readBeginning(stream: Readable, maxBytes: number, onMore: () => void): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      if (length < maxBytes) parts.push(part);
      length += part.length;
      if (length > maxBytes) onMore();
    }
  } catch {
    // The process was killed; how it ended tells the rest.
  }
  return Buffer.concat(parts).toString("utf8", 0, maxBytes);
}

/**
 * Returns the command that runs Node in the sandbox: a shell sets the limits of the system, and Node denies its code everything but
 * reading the files of the product.
 */
export function toSandboxCommand(
  { seconds, memoryMegabytes }: Pick<ReaderLimits, "seconds" | "memoryMegabytes">,
  args: readonly string[],
): [string, string[]] {
  const memoryKb = (memoryMegabytes + RESERVED_MEGABYTES) * KB_OF_MB;
  const shell = `ulimit -c 0; ulimit -f 0; ulimit -t ${seconds * 2}; ulimit -d ${memoryKb} 2>/dev/null; exec "$@"`;
  const paths = READABLE.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const flags = [
    "--permission",
    ...paths.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.floor(memoryMegabytes * HEAP_SHARE)}`,
  ];
  return ["/bin/sh", ["-c", shell, "sh", process.execPath, ...flags, ...args]];
}
