import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Account } from "../../../platform/core/db/embedded/account.ts";

/** A script that runs a command until standard input is closed. Other programs keep running after their server was killed. */
export const STOP_WITH_STDIN = fileURLToPath(new URL("stop-with-stdin.ts", import.meta.url));

type Options = {
  account: Account;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** How long the program may take to end after SIGTERM, in milliseconds. */
  graceMs: number;
};

/**
 * Starts a program that does not watch its standard input. It and all processes that it started end when standard input is
 * closed. The first line on standard output is the id of its process group.
 */
export function spawnOwned(
  command: string,
  args: readonly string[],
  { account, cwd, env, graceMs }: Options,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [STOP_WITH_STDIN, String(graceMs), command, ...args], {
    ...account,
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    // Detached, so that Ctrl-C only reaches the server, which lets calls end before it stops its processes.
    detached: true,
  });
  // The process may have ended. Without free file descriptors there is no process, and no standard input.
  child.stdin?.on("error", () => {});
  return child;
}
