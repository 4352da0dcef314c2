import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UsageError } from "../../../errors.ts";

const DEFAULT_NAME = "feather-chat";

/**
 * Creates a function that saves a conversation and returns the path. The first call writes a new file at the given
 * path, or under a free name in the folder; later calls replace that file. Throws `UsageError` for another file that
 * exists.
 */
export function createChatSaver(
  ownPath: string | undefined,
  folder: string,
  onSaved: (path: string) => void,
): (path: string | null, text: string) => Promise<string> {
  let own = ownPath;
  return async (path, text) => {
    const target = path ?? own;
    if (target === undefined) own = await writeUnderFreeName(folder, text);
    else if (own !== undefined && resolve(target) === resolve(own)) await writeFile(target, text);
    else {
      await writeNewFile(target, text);
      own = target;
    }
    onSaved(own);
    return own;
  };
}

async function writeUnderFreeName(folder: string, text: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = join(folder, number === 1 ? `${DEFAULT_NAME}.md` : `${DEFAULT_NAME}-${number}.md`);
    try {
      await writeFile(name, text, { flag: "wx" });
      return name;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw createWriteError(name, error);
    }
  }
}

async function writeNewFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx" }).catch((error: unknown) => {
    if (codeOf(error) === "EEXIST")
      throw new UsageError(`${path} exists already`, "/save alone takes a free name, or name another file");
    throw createWriteError(path, error);
  });
}

const createWriteError = (path: string, error: unknown) =>
  new UsageError(`${path} cannot be written (${codeOf(error) ?? String(error)})`, "/save <another file>");

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined;
