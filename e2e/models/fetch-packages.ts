import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const TIME_LIMIT_MS = 900_000;

/** Downloads packages of PyPI with pip into a folder, and unpacks those that are wheels. Returns where those are unpacked. */
export async function fetchWheels(packages: readonly string[], folder: string): Promise<string> {
  const options = { cwd: folder, timeout: TIME_LIMIT_MS };
  await run("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", ...packages], options);
  for (const wheel of readdirSync(folder).filter((name) => name.endsWith(".whl")))
    await run("python3", ["-m", "zipfile", "-e", wheel, "files"], options);
  return join(folder, "files");
}
