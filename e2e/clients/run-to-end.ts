import { spawn } from "node:child_process";

/** How a program ended, and all that it wrote. */
export type RunResult = { code: number | null; output: string };
type Options = { cwd: string; env: NodeJS.ProcessEnv };

const RUN_LIMIT_MS = 120_000;

/** Runs a program without a terminal until it ends, for two minutes at most. */
export function runToEnd(file: string, args: readonly string[], options: Options): Promise<RunResult> {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: RUN_LIMIT_MS });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
