import { readFile } from "node:fs/promises";
import { UsageError } from "../../errors.ts";
import { readAll } from "../../input.ts";
import type { Io } from "../../output/io.ts";
import type { Manifest } from "./manifest.ts";

/** The deployments of a file; `-` is what comes on stdin. */
export async function manifestsOf({ stdin }: Io, path: string): Promise<readonly Manifest[]> {
  const text = path === "-" ? await readAll(stdin) : await read(path);
  const { readManifests } = await import("./manifest.ts");
  return readManifests(text, path === "-" ? "stdin" : path);
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`${path} cannot be read (${code === "ENOENT" ? "there is no such file" : code})`);
  }
}
