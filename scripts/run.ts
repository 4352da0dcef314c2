import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Runs a program in the checkout, with its output on ours. Answers whether it went well. */
export function run(command: string, args: readonly string[], cwd = ROOT): boolean {
  const env = { ...process.env, PATH: `${ROOT}node_modules/.bin:${process.env.PATH}` };
  return spawnSync(command, args, { cwd, stdio: "inherit", env }).status === 0;
}

/** Runs a program and ends with its failure. */
export function must(command: string, args: readonly string[], cwd = ROOT): void {
  if (!run(command, args, cwd)) process.exit(1);
}
