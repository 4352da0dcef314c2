import { chownSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Account, canRead, isRoot } from "../../../platform/core/db/embedded/account.ts";

/** A user id that owns nothing and differs from the database's account. */
const ENGINE_ACCOUNT = { uid: 65_533, gid: 65_533 };
/** Environment variables that the process inherits. None of them is a setting of the server, so none contains a secret. */
const INHERITED_VARIABLES = ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];
/** Variables that select graphics cards and locate their drivers. */
const GPU_VARIABLES = ["CUDA_VISIBLE_DEVICES", "GGML_VK_VISIBLE_DEVICES", "VK_DRIVER_FILES", "VK_ICD_FILENAMES"];
/** Drivers cache compiled code in files, which engines must not write. */
const WITHOUT_DRIVER_CACHES = {
  CUDA_CACHE_DISABLE: "1",
  MESA_SHADER_CACHE_DISABLE: "true",
  __GL_SHADER_DISK_CACHE: "0",
};
/** The length in bytes. Socket paths are limited to 103 bytes on macOS; the rest is for the names below the folder. */
const MAX_SOCKET_ROOT_LENGTH = 60;
const SHORT_SOCKET_ROOT = "/tmp";

/**
 * Returns the parent folder of engines' sockets: the system's temporary folder, or `/tmp` if that path is too long for a
 * socket.
 */
export function chooseSocketRoot(temporary: string = tmpdir()): string {
  return Buffer.byteLength(temporary) <= MAX_SOCKET_ROOT_LENGTH ? temporary : SHORT_SOCKET_ROOT;
}

/**
 * Returns the environment of an engine, which parses untrusted files: only the variables needed to find programs and
 * libraries. `home` replaces the home folder, which the engine's account may not have. With a graphics card, the variables
 * of its drivers are added.
 */
export function createEngineEnvironment(
  home: string,
  { env = process.env, gpu = false }: { env?: NodeJS.ProcessEnv; gpu?: boolean } = {},
): NodeJS.ProcessEnv {
  const inherited = [...INHERITED_VARIABLES, ...(gpu ? GPU_VARIABLES : [])].flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]]],
  );
  return { ...Object.fromEntries(inherited), ...(gpu && WITHOUT_DRIVER_CACHES), HOME: home, LC_ALL: "C" };
}

/**
 * Returns the account that runs an engine: the server's own, or an unprivileged one if the server runs as root. Undefined
 * (root) also when that account cannot read the files, for example below root's home folder.
 */
export function chooseEngineAccount(files: readonly string[]): Account {
  if (!isRoot()) return undefined;
  return files.every((file) => isReachable(file)) ? ENGINE_ACCOUNT : undefined;
}

/** Makes the account the owner of an engine's folder. */
export function chownTo(account: Account, folder: string): void {
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}

/**
 * Returns a command that runs another one with limits: no core dumps, which would contain prompts, no writes to files, and
 * at most 4096 open files.
 */
export function withLimits(command: string, args: readonly string[]): [string, string[]] {
  return ["/bin/sh", ["-c", 'ulimit -c 0; ulimit -f 0; ulimit -n 4096 2>/dev/null; exec "$@"', "sh", command, ...args]];
}

function isReachable(file: string): boolean {
  try {
    return canRead(ENGINE_ACCOUNT, realpathSync(file));
  } catch {
    return false; // missing: the engine will report it
  }
}
