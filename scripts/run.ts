import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Folder of the checkout, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Exit status that shells report for a program killed by SIGKILL. */
const KILLED = 137;

/** Runs a program in the checkout and forwards its output. Returns its exit status; 137 when it was killed. */
function statusOf(command: string, args: readonly string[], cwd: string): number {
  const env = { ...process.env, PATH: `${cwd}/node_modules/.bin:${ROOT}node_modules/.bin:${process.env.PATH}` };
  const { status, signal } = spawnSync(command, args, { cwd, stdio: "inherit", env });
  return signal === "SIGKILL" ? KILLED : (status ?? 1);
}

/** Runs a program in the checkout and forwards its output. Returns whether it succeeded. */
export function run(command: string, args: readonly string[], cwd = ROOT): boolean {
  return statusOf(command, args, cwd) === 0;
}

/** Runs a program and exits with its status when it fails. */
export function runOrExit(command: string, args: readonly string[], cwd = ROOT): void {
  const status = statusOf(command, args, cwd);
  if (status !== 0) process.exit(status);
}
