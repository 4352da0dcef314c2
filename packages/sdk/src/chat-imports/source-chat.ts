/** The program that wrote an export. */
export type ChatSource = "chatgpt" | "open-webui" | "librechat";

/** What an import leaves out, as counts. */
export type LeftOut = {
  /** Chats without a message that can be read. */
  emptyChats: number;
  /** Elements of the file that are no chats. */
  unreadable: number;
  /** Messages that are not in the branch that was shown last. */
  otherBranches: number;
  /** Messages after the first 5,000 of a chat. */
  tooMany: number;
  /** Pictures, recordings and other files. */
  files: number;
  /** Calls of tools, and their results. */
  toolCalls: number;
  /** Texts in which a model thought. */
  thoughts: number;
  /** Messages whose text was cut at 2,000,000 characters. */
  cutTexts: number;
};

/** A message of an export, in the branch that was shown last. */
export type SourceMessage = {
  role: "user" | "assistant";
  text: string;
  /** The name of the model in that program; null if it is not known. */
  model: string | null;
  at: Date | null;
  isComplete: boolean;
};

/** A chat of an export. */
export type SourceChat = {
  id: string;
  title: string;
  createdAt: Date | null;
  updatedAt: Date | null;
  isArchived: boolean;
  isPinned: boolean;
  messages: SourceMessage[];
};

/** Reads one chat of an export, and adds what it leaves out; null if the value is no chat. */
export type ReadSourceChat = (value: unknown, leftOut: LeftOut) => SourceChat | null;

/** An object of JSON. */
export type UnknownRecord = Record<string, unknown>;
/** Whether a value is an object of JSON. */
export const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** Returns a text; empty for other values. */
export const toText = (value: unknown): string => (typeof value === "string" ? value : "");
/** Returns a list; empty for other values. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Returns the objects in a list; none for other values. */
export const toRecords = (value: unknown): UnknownRecord[] => toList(value).filter(isRecord);
/** Returns the object that the export has under a name; null for other values, and for what every object has. */
export const recordAt = (records: UnknownRecord, name: string): UnknownRecord | null =>
  Object.hasOwn(records, name) && isRecord(records[name]) ? records[name] : null;

/** The first and last moments that times are taken from. RFC 3339 has no years after 9999. */
const [FIRST_TIME, LAST_TIME] = [0, Date.UTC(9999, 0, 1)];

/**
 * Reads a time: seconds or milliseconds since 1970, or a text of ISO 8601; null for others, and before 1970 and after 9998.
 * Milliseconds have 12 digits and more.
 */
export function toTime(value: unknown): Date | null {
  const number = typeof value === "number" && value > 0 ? (value < 100_000_000_000 ? value * 1000 : value) : Number.NaN;
  const isDate = typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);
  const date = new Date(isDate ? value : number);
  return date.getTime() >= FIRST_TIME && date.getTime() <= LAST_TIME ? date : null;
}

/** Returns the id of the message that was shown last: the named one, or the last one if the named one is not there. */
export function findLeaf(named: unknown, records: UnknownRecord): string {
  const id = toText(named);
  if (recordAt(records, id) !== null) return id;
  return Object.keys(records).findLast((one) => recordAt(records, one) !== null) ?? "";
}

/** Returns the ids from the first message to a leaf. Ends where a parent is missing or comes twice. */
export function branchTo(leaf: string, parentOf: (id: string) => string | null): string[] {
  const ids = new Set<string>();
  for (let id: string | null = leaf; id !== null && !ids.has(id); id = parentOf(id)) ids.add(id);
  return [...ids].reverse();
}
