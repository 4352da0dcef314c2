import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../../chat/answer.ts";
import { parseTranscript, type Transcript } from "../../../chat/transcript.ts";
import { isRecord } from "../../../config/record.ts";
import { UsageError } from "../../../errors.ts";

/** The last conversation, for `--continue`. */
export type LastChat = {
  readonly transcript: Transcript;
  /** The file that `/save` wrote it to; null if it was not saved. */
  readonly path: string | null;
  readonly keptAt: Date;
};

/** Name of the file of the configuration's folder that holds the last conversation. */
const FILE = "last-chat.json";
const MAX_TITLE_LENGTH = 50;

/** Keeps a conversation as the last one, readable by its owner only. Pictures remain as their names. Write errors are ignored. */
export function keepLastChat(configDir: string, { transcript, path, keptAt }: LastChat): void {
  const { model, system, messages } = transcript;
  const kept = { model, system, messages: messages.map(toKept), path, kept_at: keptAt.toISOString() };
  const file = join(configDir, FILE);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(configDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 });
    renameSync(draft, file); // others read the old one or the new one, never a half
  } catch {
    rmSync(draft, { force: true }); // a full or read-only disk
  }
}

function toKept({ role, content, pictures = [] }: Message): { role: string; content: string } {
  return { role, content: [content, ...pictures.map(({ name }) => `Picture: ${name}`)].join("\n\n") };
}

/** Reads the last conversation. Throws `UsageError` when there is none. */
export function readLastChat(configDir: string): LastChat {
  const last = findLastChat(configDir);
  if (last !== undefined) return last;
  throw new UsageError(
    "there is no conversation to go on with",
    "feather chat begins one, which --continue goes on with",
  );
}

/**
 * Returns the last conversation; undefined when there is none. If the file that `/save` wrote has been changed since, its content is
 * taken.
 */
export function findLastChat(configDir: string): LastChat | undefined {
  const file = join(configDir, FILE);
  const kept = parseKept(readText(file));
  if (kept === undefined) return undefined;
  const transcript = kept.path === null ? undefined : readChanged(kept.path, file);
  return transcript === undefined ? kept : { ...kept, transcript };
}

/** Returns the conversation of a file that was changed after the other one was written; undefined otherwise. */
function readChanged(path: string, keptFile: string): Transcript | undefined {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt <= statSync(keptFile).mtimeMs) return undefined;
  return parseTranscript(readText(path) ?? "");
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function parseKept(text: string | undefined): LastChat | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (!isRecord(value) || typeof value.model !== "string" || !Array.isArray(value.messages)) return undefined;
  const messages = value.messages.filter(isMessage);
  const keptAt = new Date(String(value.kept_at));
  if (messages.length === 0 || Number.isNaN(keptAt.getTime())) return undefined;
  const system = typeof value.system === "string" ? value.system : undefined;
  const path = typeof value.path === "string" ? value.path : null;
  return { transcript: { model: value.model, system, messages }, path, keptAt };
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && (value.role === "user" || value.role === "assistant") && typeof value.content === "string";
}

/** Returns what a conversation is called: its file, or else how it begins. */
export function nameChat({ path, transcript }: LastChat): string {
  if (path !== null) return path;
  const [line = ""] = (transcript.messages[0]?.content ?? "").trim().split("\n");
  return line.length > MAX_TITLE_LENGTH ? `“${line.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…”` : `“${line}”`;
}
