import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Account } from "../../platform/core/db/embedded/account.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { chooseEngineAccount, chownTo } from "./processes/confinement.ts";
import type { IsKnownArchitecture } from "./runtime.ts";

const TIME_LIMIT_MS = MINUTE_MS;
const MAX_REMEMBERED = 500;
const GGUF_VERSION = 3;
const GGUF_STRING = 8;

/** A question to a program: a GGUF file with only a header, the folder for other files, and the account that it runs as. */
export type ArchitectureQuestion = { file: string; folder: string; account: Account };

type Options = {
  /** The program as the log names it, such as `the engine`. */
  name: string;
  /** The files that the account of the program must be able to read. */
  programFiles: readonly string[];
  log: Pick<Logger, "warn">;
  /** Asks the program whether it knows the architecture that the header names. */
  ask(question: ArchitectureQuestion): Promise<boolean>;
};

/**
 * Returns a function that asks a program, in a separate process, whether it knows an architecture of GGUF files. Answers are
 * kept, since they change only with the installation. The result is true if the program cannot be asked.
 */
export function createGgufArchitectureCheck({ name, log, ...question }: Options): IsKnownArchitecture {
  const answers = new LRUCache<string, Promise<boolean>>({ max: MAX_REMEMBERED });
  return (architecture) => {
    const known = answers.get(architecture);
    if (known) return known;
    const answer = askWithHeader(architecture, question).catch((error: unknown) => {
      answers.delete(architecture);
      log.warn({ err: error, architecture }, `${name} does not say whether it knows an architecture`);
      return true;
    });
    answers.set(architecture, answer);
    return answer;
  };
}

async function askWithHeader(
  architecture: string,
  { programFiles, ask }: Pick<Options, "programFiles" | "ask">,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "feather-architecture-"));
  const account = chooseEngineAccount(programFiles);
  try {
    const file = join(folder, "header.gguf");
    writeFileSync(file, createGgufHeader(architecture));
    chmodSync(file, 0o444);
    chownTo(account, folder);
    return await ask({ file, folder, account });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program with which an architecture is asked for. Returns its output. Rejects unless it ends in a minute. */
export function readAnswer(
  command: string,
  args: readonly string[],
  { account, env }: { account: Account; env: NodeJS.ProcessEnv },
): Promise<{ stdout: string; stderr: string; failure: Error | null }> {
  const options = { ...account, cwd: "/", env, timeout: TIME_LIMIT_MS, encoding: "utf8" } as const;
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error?.killed || typeof error?.code === "string") reject(error);
      else resolve({ stdout, stderr, failure: error });
    });
  });
}

/** Returns a GGUF file without tensors whose only field is its architecture. */
function createGgufHeader(architecture: string): Buffer {
  const counts = Buffer.alloc(20);
  counts.writeUInt32LE(GGUF_VERSION, 0);
  counts.writeBigUInt64LE(0n, 4); // tensors
  counts.writeBigUInt64LE(1n, 12); // fields
  const type = Buffer.alloc(4);
  type.writeUInt32LE(GGUF_STRING);
  const padding = Buffer.alloc(64);
  const field = [toGgufString("general.architecture"), type, toGgufString(architecture)];
  return Buffer.concat([Buffer.from("GGUF"), counts, ...field, padding]);
}

function toGgufString(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
}
