import { chownSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Account, canRead, isRoot } from "../db/embedded/account.ts";

/** A user id that owns nothing, and is not the one that the database runs as. */
const ENGINE_ACCOUNT = { uid: 65_533, gid: 65_533 };
/** What the process needs of the environment; no setting, and so no secret, is among it. */
const PASSED_ON = ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];
/** A socket's path has room for 103 bytes on macOS; this much of it goes to the names below the folder. */
const MAX_SOCKET_ROOT_LENGTH = 60;
const SHORT_ROOT = "/tmp";

/** The folder for engines' sockets: the system's temporary one, or `/tmp` where that path is too long for a socket. */
export function socketRoot(temporary: string = tmpdir()): string {
  return Buffer.byteLength(temporary) <= MAX_SOCKET_ROOT_LENGTH ? temporary : SHORT_ROOT;
}

/**
 * The environment of an engine, which reads files of strangers: nothing of ours but where programs and libraries are.
 * `home` stands for the home folder that its account may not have, and that libraries ask for.
 */
export function engineEnvironment(home: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...Object.fromEntries(kept), HOME: home, LC_ALL: "C" };
}

/**
 * The account that an engine runs as: the server's own, or, where that is root, one without any rights. Undefined for
 * root as well where that account cannot get at the files, such as below root's closed home.
 */
export function engineAccount(files: readonly string[]): Account {
  if (!isRoot()) return undefined;
  return files.every((file) => isReachable(file)) ? ENGINE_ACCOUNT : undefined;
}

/** Gives an engine's folder to its account. */
export function giveTo(account: Account, folder: string): void {
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}

/**
 * A command that runs another one under limits: no core dumps, which would hold prompts, no writing to files, and only as
 * many open files as connections need.
 */
export function withLimits(command: string, args: readonly string[]): [string, string[]] {
  return ["/bin/sh", ["-c", 'ulimit -c 0; ulimit -f 0; ulimit -n 4096 2>/dev/null; exec "$@"', "sh", command, ...args]];
}

function isReachable(file: string): boolean {
  try {
    return canRead(ENGINE_ACCOUNT, realpathSync(file));
  } catch {
    return false; // it is not there, which the engine will say
  }
}
