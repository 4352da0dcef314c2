import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../../errors.ts";
import { parseTranscript, type Transcript } from "./transcript.ts";

/** A conversation of a file. */
export type SavedChat = { readonly path: string; readonly transcript: Transcript };

const DEFAULT_NAME = "feather-chat";
/** Name of the file of the configuration's folder that holds the path of the last saved conversation. */
const LAST_CHAT_FILE = "last-chat";

/**
 * Creates the function that saves a conversation and returns the path. The first time it takes the given path, or a free name
 * in the folder; after that it replaces its own file. Throws `UsageError` for a file of somebody else.
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

/** Remembers which conversation was saved last, for `--continue`. Write errors are ignored. */
export function rememberLastChat(configDir: string, path: string): void {
  try {
    const file = join(configDir, LAST_CHAT_FILE);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${resolve(path)}\n`, { mode: 0o600 });
  } catch {
    // A full or read-only disk.
  }
}

/** Reads the conversation that was saved last. Throws `UsageError` when there is none. */
export async function readLastChat(configDir: string): Promise<SavedChat> {
  const path = readLastPath(join(configDir, LAST_CHAT_FILE));
  if (path === undefined) throw new UsageError("no conversation was saved yet", "feather chat, and /save in it");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`${path}, the last saved conversation, cannot be read (${codeOf(error) ?? String(error)})`);
  });
  const transcript = parseTranscript(text);
  if (transcript === undefined) throw new UsageError(`${path} holds no conversation that /save has written`);
  return { path, transcript };
}

function readLastPath(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
