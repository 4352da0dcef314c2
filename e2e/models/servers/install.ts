import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** The folder of the installed servers; they are reused by later runs. */
const SERVERS_FOLDER = new URL("../../../node_modules/.cache/feather-servers/", import.meta.url).pathname;
/** Ollama is compiled, which takes five minutes of processor time. */
const TIME_LIMIT_MS = 3_600_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** How a server is started. */
export type ServerCommand = { path: string; env: Readonly<Record<string, string>> };

/** Runs a command in a folder, with variables beside those of this process. Rejects with what it printed if it fails. */
export async function run(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await promisify(execFile)(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    timeout: TIME_LIMIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}

/** Returns the folder of an installed server. `fill` installs it if that has not been done wholly. */
export async function installOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(SERVERS_FOLDER, name);
  const completed = join(folder, ".completed");
  if (existsSync(completed)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await fill(folder);
  writeFileSync(completed, "");
  return folder;
}
