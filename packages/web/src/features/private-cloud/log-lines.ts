import type { LogLine as Sent } from "./queries.ts";

/** A log line as shown; `at` is the time as the server wrote it. */
export type LogLine = { key: number; at: string; replica: string; text: string };
/** A log line as received. */
export type RawLine = Omit<Sent, "logged_at"> & { logged_at: string };

/** How many lines are held in memory. */
export const KEPT = 2_000;

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
const CSI = String.fromCharCode(0x9b);
/** Terminal escape sequences: colours, titles, links, cursor movements. */
const COMMANDS = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]P^_X][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** Control characters, zero-width characters and bidirectional overrides. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Removes escape sequences and control characters. If a line was overwritten with carriage returns, its last version
 * remains.
 */
export function cleanText(text: string): string {
  const last = text
    .replace(COMMANDS, "")
    .split("\r")
    .findLast((part) => part.trim() !== "");
  return (last ?? "").replace(UNSEEN, (sign) => (sign === "\t" ? "  " : "�"));
}

/** Parses a line of the stream; null if it is invalid. */
export function parseLine(data: string): RawLine | null {
  try {
    const { logged_at, replica, text } = JSON.parse(data) as Partial<RawLine>;
    if (typeof logged_at !== "string" || typeof text !== "string") return null;
    return { logged_at, replica: String(replica ?? ""), text };
  } catch {
    return null;
  }
}

/** The log: shown lines, lines received while it is paused, and the next key. */
export type Log = { lines: readonly LogLine[]; held: readonly LogLine[]; paused: boolean; next: number };
/** A log without lines. */
export const EMPTY_LOG: Log = { lines: [], held: [], paused: false, next: 1 };

/** Changes of the log: lines were received, or it was paused or resumed. */
export type LogAction =
  /** `since`: the newest time before a reconnect, after which the stream repeats older lines. */
  { type: "receive"; lines: readonly RawLine[]; since: string | null } | { type: "pause" } | { type: "resume" };

/** Applies an action. Lines received while the log is paused are held back and appended when it is resumed. */
export function logReducer(log: Log, action: LogAction): Log {
  if (action.type === "pause") return { ...log, paused: true };
  if (action.type === "resume") return { ...log, paused: false, held: [], lines: cut([...log.lines, ...log.held]) };
  const known = [...log.lines, ...log.held];
  const fresh = action.lines
    .filter((line) => action.since === null || isAfter(line, action.since, known))
    .map(({ logged_at, replica, text }, index) => ({
      key: log.next + index,
      at: logged_at,
      replica: cleanText(replica),
      text: cleanText(text),
    }));
  if (fresh.length === 0) return log;
  const next = log.next + fresh.length;
  return log.paused
    ? { ...log, next, held: cut([...log.held, ...fresh]) }
    : { ...log, next, lines: cut([...log.lines, ...fresh]) };
}

function isAfter(line: RawLine, since: string, known: readonly LogLine[]): boolean {
  if (line.logged_at !== since) return line.logged_at > since;
  const text = cleanText(line.text);
  return !known.some((one) => one.at === since && one.text === text && one.replica === line.replica);
}

const cut = (lines: readonly LogLine[]) => lines.slice(-KEPT);

/** Returns the time of the newest line; null if the log is empty. */
export const newestOf = ({ lines, held }: Log): string | null => (held.at(-1) ?? lines.at(-1))?.at ?? null;

/** Returns the lines that contain every search term, of one replica or of all. */
export function pickLines(lines: readonly LogLine[], words: string, replica: string): readonly LogLine[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && replica === "") return lines;
  return lines.filter((line) => {
    const text = line.text.toLowerCase();
    return (replica === "" || line.replica === replica) && wanted.every((word) => text.includes(word));
  });
}

/** Returns lines as a text file. */
export const asText = (lines: readonly LogLine[]): string =>
  lines.map(({ at, replica, text }) => `${at} ${replica} ${text}\n`).join("");
