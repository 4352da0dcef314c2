import { z } from "zod";
import type { HubFile } from "../../hub/index.ts";

const HUB_FILES = z.array(
  z.object({ path: z.string(), size: z.number().int().nonnegative(), sha256: z.string().nullable() }),
);

/** Returns the value of the database column for the files of a repository. */
export function toHubFilesColumn(files: readonly HubFile[]): string {
  return JSON.stringify(files.map(({ path, size, sha256 }) => ({ path, size, sha256 })));
}

/** Reads the database column for the files of a repository. Null if its value is invalid. */
export function parseHubFilesColumn(value: unknown): HubFile[] | null {
  const { data } = HUB_FILES.safeParse(value);
  return data ?? null;
}
