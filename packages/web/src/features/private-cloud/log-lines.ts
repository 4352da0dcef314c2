import type { LogLine as Sent } from "./queries.ts";

/** A line as it is shown. */
export type LogLine = { key: number; at: string; replica: string; text: string };
export type RawLine = Omit<Sent, "logged_at"> & { logged_at: string };

export const KEPT = 2_000;

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
const CSI = String.fromCharCode(0x9b);
/** What terminals take as commands: colours, titles, links, moves of the cursor. */
const COMMANDS = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]P^_X][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** Signs that are not seen, or turn the order of others round. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A line without what a terminal would obey. Of a line that was written over, how it ended. */
export function cleanText(text: string): string {
  const last = text
    .replace(COMMANDS, "")
    .split("\r")
    .findLast((part) => part.trim() !== "");
  return (last ?? "").replace(UNSEEN, (sign) => (sign === "\t" ? "  " : "�"));
}

/** A line of the stream; null for what is none. */
export function parseLine(data: string): RawLine | null {
  try {
    const { logged_at, replica, text } = JSON.parse(data) as Partial<RawLine>;
    if (typeof logged_at !== "string" || typeof text !== "string") return null;
    return { logged_at, replica: String(replica ?? ""), text };
  } catch {
    return null;
  }
}

export type Log = { lines: readonly LogLine[]; held: readonly LogLine[]; paused: boolean; next: number };
export const EMPTY_LOG: Log = { lines: [], held: [], paused: false, next: 1 };

export type LogAction =
  /** `since`: the newest line at the time of connecting anew, after which the stream begins with old lines again. */
  { type: "receive"; lines: readonly RawLine[]; since: string | null } | { type: "pause" } | { type: "resume" };

/** The log after lines came, or after it was paused: what comes meanwhile is held back, and nothing is lost. */
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

/** The newest time in it; null while it is empty. */
export const newestOf = ({ lines, held }: Log): string | null => (held.at(-1) ?? lines.at(-1))?.at ?? null;

/** The lines with every word of a filter, of one replica or of all. */
export function pickLines(lines: readonly LogLine[], words: string, replica: string): readonly LogLine[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && replica === "") return lines;
  return lines.filter((line) => {
    const text = line.text.toLowerCase();
    return (replica === "" || line.replica === replica) && wanted.every((word) => text.includes(word));
  });
}

/** As a file. */
export const asText = (lines: readonly LogLine[]): string =>
  lines.map(({ at, replica, text }) => `${at} ${replica} ${text}\n`).join("");
