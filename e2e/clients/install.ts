import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ClientProgram } from "./programs.ts";

const run = promisify(execFile);
const TIME_LIMIT_MS = 900_000;
/** Installed packages are reused by later runs. */
const CACHE = new URL("../../node_modules/.cache/feather-clients/", import.meta.url).pathname;

/** Installs the packages of a program unless they are cached. Returns their folder. */
export async function installProgram({ name, npm = [], pip = [] }: ClientProgram): Promise<string> {
  const packageList = [...npm, ...pip].join(" ");
  const id = createHash("sha256").update(packageList).digest("hex").slice(0, 12);
  const folder = join(CACHE, `${name.replaceAll(/[^\w-]/g, "_")}-${id}`);
  const completeMarker = join(folder, "complete");
  if (existsSync(completeMarker)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder, timeout: TIME_LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
  if (npm.length > 0) {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    await run("npm", ["install", "--no-audit", "--no-fund", ...npm], options);
  }
  if (pip.length > 0) {
    await run("python3", ["-m", "venv", "."], options);
    await run(join(folder, "bin", "pip"), ["install", "--quiet", "--disable-pip-version-check", ...pip], options);
  }
  writeFileSync(completeMarker, packageList);
  return folder;
}
