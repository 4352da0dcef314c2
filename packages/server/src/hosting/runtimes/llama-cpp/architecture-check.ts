import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { ENGINE_BINARY } from "../engine-files.ts";
import { chooseEngineAccount, chownTo, createEngineEnvironment, withLimits } from "../processes/confinement.ts";
import { type EngineSandbox, withSandbox } from "../processes/sandbox.ts";
import type { IsKnownArchitecture } from "../runtime.ts";

const TIME_LIMIT_MS = 60_000;
const MAX_REMEMBERED = 500;
const GGUF_VERSION = 3;
const GGUF_STRING = 8;

/**
 * Returns a function that asks the engine, in a separate process, whether it knows an architecture: it opens a file with
 * only a header that names it. Answers are kept, since they change only with the installation.
 */
export function createArchitectureCheck(log: Pick<Logger, "warn">, sandbox: EngineSandbox): IsKnownArchitecture {
  const answers = new LRUCache<string, Promise<boolean>>({ max: MAX_REMEMBERED });
  return (architecture) => {
    const known = answers.get(architecture);
    if (known) return known;
    const answer = askEngine(architecture, sandbox.state === "on").catch((error: unknown) => {
      answers.delete(architecture);
      log.warn({ err: error, architecture }, "the engine does not say whether it knows an architecture");
      return true;
    });
    answers.set(architecture, answer);
    return answer;
  };
}

async function askEngine(architecture: string, isSandboxed: boolean): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "feather-architecture-"));
  const account = chooseEngineAccount([process.execPath, ENGINE_BINARY]);
  try {
    const file = join(folder, "header.gguf");
    writeFileSync(file, createGgufHeader(architecture));
    chmodSync(file, 0o444);
    chownTo(account, folder);
    const engine = [ENGINE_BINARY, "check", file];
    const [command, args] = withLimits(
      ...(isSandboxed
        ? withSandbox(process.execPath, engine, { readable: [file], writable: [] })
        : ([process.execPath, engine] as const)),
    );
    const options = { ...account, cwd: "/", env: createEngineEnvironment("/tmp"), timeout: TIME_LIMIT_MS };
    return parseAnswer(await readOutput(command, args, options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOutput(command: string, args: readonly string[], options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { ...options, encoding: "utf8" }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

function parseAnswer(text: string): boolean {
  const { architecture_known: isKnown } = JSON.parse(text) as { architecture_known?: unknown };
  if (typeof isKnown !== "boolean") throw new Error(`The engine answered ${text.slice(0, 200)}`);
  return isKnown;
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
