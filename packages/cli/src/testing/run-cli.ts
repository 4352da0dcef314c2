import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { readEnvironment } from "../config/environment.ts";
import type { ProgramRunner } from "../context.ts";
import { InterruptedError } from "../errors.ts";
import type { Io, OutputStream } from "../output/io.ts";
import { run } from "../start/run.ts";

/** The exit code and the output of a command line. */
export type CliResult = { readonly code: number; readonly out: string; readonly err: string };
/** The circumstances that a command line runs in. */
export type RunOptions = {
  readonly stdin?: string | Buffer;
  readonly tty?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Opens a URL in the browser; by default there is no browser. */
  readonly openUrl?: (address: string) => Promise<boolean>;
  /** What runs other programs; by default none is installed. */
  readonly programs?: ProgramRunner;
  /** Receives the milliseconds of each wait; tests do not really wait. */
  readonly onSleep?: (milliseconds: number) => void;
  readonly now?: () => Date;
  /** Whether a person can be asked. */
  readonly interactive?: boolean;
};

/** The current time in tests. */
export const NOW = new Date("2026-11-21T12:00:00Z");

/** A machine on which no other program is installed. */
export const NO_PROGRAMS: ProgramRunner = {
  find: async () => null,
  run: async (path) => {
    throw new Error(`nothing runs ${path} in this test`);
  },
};

/** Creates an output stream that records what is written. */
export function createMemoryStream(isTTY = false, columns?: number): OutputStream & { text(): string } {
  const parts: Buffer[] = [];
  return {
    isTTY,
    ...(columns !== undefined && { columns }),
    write: (text: string | Uint8Array) => parts.push(Buffer.from(text as Uint8Array)),
    text: () => Buffer.concat(parts).toString(),
  };
}

/** Creates a temporary configuration folder; `remove` deletes it. */
export function createConfigFolder() {
  const dir = mkdtempSync(join(tmpdir(), "feather-cli-"));
  return { dir: join(dir, "feather"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Runs a command line with these environment variables. */
export async function runCli(
  argv: readonly string[],
  variables: Record<string, string>,
  settings: RunOptions = {},
): Promise<CliResult> {
  const { stdin = "", tty = false, columns, env = {}, interactive = false, now = () => NOW } = settings;
  const {
    signal = new AbortController().signal,
    openUrl = async () => false,
    programs = NO_PROGRAMS,
    onSleep,
  } = settings;
  const stdout = createMemoryStream(tty, columns);
  const stderr = createMemoryStream(tty, columns);
  const input = Object.assign(Readable.from(stdin === "" ? [] : [Buffer.from(stdin as string)]), {
    isTTY: interactive,
  });
  const io: Io = { stdin: input, stdout, stderr, env: readEnvironment({ ...variables, ...env }, "linux") };
  const sleep = async (milliseconds: number) => {
    if (signal.aborted) throw new InterruptedError("the wait was left");
    onSleep?.(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const code = await run(argv, { io, signal, now, sleep, openUrl, programs, version: "1.2.3" });
  return { code, out: stdout.text(), err: stderr.text() };
}
