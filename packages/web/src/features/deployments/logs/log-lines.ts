import type { DeploymentLogLine } from "@feather/sdk";

/** A log line as shown; `at` is the time as the server wrote it. */
export type LogLine = { key: number; at: string; replica: string; text: string };
/** A log line as received. */
export type RawLogLine = Omit<DeploymentLogLine, "logged_at"> & { logged_at: string };

/** How many lines are held in memory. */
export const MAX_LINES = 2_000;

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
const CSI = String.fromCharCode(0x9b);
/** Terminal escape sequences: colours, titles, links, cursor movements. */
const TERMINAL_ESCAPES = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]P^_X][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** Control characters, zero-width characters and bidirectional overrides. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Removes escape sequences and control characters. If a line was overwritten with carriage returns, its last version
 * remains.
 */
export function stripControlCharacters(text: string): string {
  const lastPart = text
    .replace(TERMINAL_ESCAPES, "")
    .split("\r")
    .findLast((part) => part.trim() !== "");
  return (lastPart ?? "").replace(INVISIBLE_CHARACTERS, (character) => (character === "\t" ? "  " : "�"));
}

/** Parses a line of the stream; null if it is invalid. */
export function parseLogLine(data: string): RawLogLine | null {
  try {
    const { logged_at, replica, text } = JSON.parse(data) as Partial<RawLogLine>;
    if (typeof logged_at !== "string" || typeof text !== "string") return null;
    return { logged_at, replica: String(replica ?? ""), text };
  } catch {
    return null;
  }
}

/** The log: shown lines, lines received while it is paused, and the next key. */
export type LogState = {
  lines: readonly LogLine[];
  pendingLines: readonly LogLine[];
  paused: boolean;
  nextKey: number;
};
/** A log without lines. */
export const EMPTY_LOG: LogState = { lines: [], pendingLines: [], paused: false, nextKey: 1 };

/** Changes of the log: lines were received, or it was paused or resumed. */
export type LogAction =
  /** `since`: the newest time before a reconnect, after which the stream repeats older lines. */
  { type: "receive"; lines: readonly RawLogLine[]; since: string | null } | { type: "pause" } | { type: "resume" };

/** Applies an action. Lines received while the log is paused are held back and appended when it is resumed. */
export function logReducer(log: LogState, action: LogAction): LogState {
  if (action.type === "pause") return { ...log, paused: true };
  if (action.type === "resume")
    return { ...log, paused: false, pendingLines: [], lines: keepNewest([...log.lines, ...log.pendingLines]) };
  const knownLines = [...log.lines, ...log.pendingLines];
  const newLines = action.lines
    .filter((line) => action.since === null || isAfter(line, action.since, knownLines))
    .map(({ logged_at, replica, text }, index) => ({
      key: log.nextKey + index,
      at: logged_at,
      replica: stripControlCharacters(replica),
      text: stripControlCharacters(text),
    }));
  if (newLines.length === 0) return log;
  const nextKey = log.nextKey + newLines.length;
  return log.paused
    ? { ...log, nextKey, pendingLines: keepNewest([...log.pendingLines, ...newLines]) }
    : { ...log, nextKey, lines: keepNewest([...log.lines, ...newLines]) };
}

function isAfter(line: RawLogLine, since: string, knownLines: readonly LogLine[]): boolean {
  if (line.logged_at !== since) return line.logged_at > since;
  const text = stripControlCharacters(line.text);
  return !knownLines.some((one) => one.at === since && one.text === text && one.replica === line.replica);
}

const keepNewest = (lines: readonly LogLine[]) => lines.slice(-MAX_LINES);

/** Returns the time of the newest line; null if the log is empty. */
export const newestTime = ({ lines, pendingLines }: LogState): string | null =>
  (pendingLines.at(-1) ?? lines.at(-1))?.at ?? null;

/** Returns the lines that contain every search term, of one replica or of all. */
export function filterLines(lines: readonly LogLine[], search: string, replica: string): readonly LogLine[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0 && replica === "") return lines;
  return lines.filter((line) => {
    const text = line.text.toLowerCase();
    return (replica === "" || line.replica === replica) && terms.every((word) => text.includes(word));
  });
}

/** Returns lines as a text file. */
export const toLogText = (lines: readonly LogLine[]): string =>
  lines.map(({ at, replica, text }) => `${at} ${replica} ${text}\n`).join("");
