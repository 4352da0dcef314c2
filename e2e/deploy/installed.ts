import { spawnSync } from "node:child_process";

/** Whether a program is on this machine: whether it prints its version. */
export function isInstalled(command: string, versionArgs: readonly string[]): boolean {
  return spawnSync(command, versionArgs).status === 0;
}
