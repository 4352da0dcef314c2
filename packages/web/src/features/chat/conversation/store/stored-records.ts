import type { SentPassage } from "@feather/sdk";
import { DEFAULT_SETTINGS } from "../settings.ts";
import type { Answer, Attachment, Conversation, Entry, Question } from "../types.ts";

type UnknownRecord = Record<string, unknown>;

const isObject = (value: unknown): value is UnknownRecord => typeof value === "object" && value !== null;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const toNumber = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toTexts = (value: unknown): string[] => toList(value).filter((one) => typeof one === "string");
/** Returns the objects of a list whose named fields are all strings. */
const objectsWithTexts = <T>(value: unknown, ...names: (keyof T & string)[]): T[] =>
  toList(value).filter((one) => isObject(one) && names.every((name) => typeof one[name] === "string")) as T[];

/**
 * Reads a stored conversation of any version, even a corrupt one: missing fields get defaults. Null if it is not a
 * conversation.
 */
export function readStoredConversation(value: unknown): Conversation | null {
  if (!isObject(value) || text(value.id) === "") return null;
  const storedSettings = isObject(value.settings) ? value.settings : {};
  const settingEntries = Object.entries(DEFAULT_SETTINGS).map(([name, fallback]) => [
    name,
    typeof storedSettings[name] === typeof fallback ? storedSettings[name] : fallback,
  ]);
  return {
    id: text(value.id),
    title: text(value.title),
    named: value.named === true,
    models: toTexts(value.models),
    settings: Object.fromEntries(settingEntries) as Conversation["settings"],
    pinned: value.pinned === true,
    archived: value.archived === true,
    folder: text(value.folder) || null,
    chosen: isObject(value.chosen) ? (value.chosen as Conversation["chosen"]) : {},
    createdAt: toNumber(value.createdAt),
    updatedAt: toNumber(value.updatedAt),
    deletedAt: typeof value.deletedAt === "number" ? value.deletedAt : null,
  };
}

const STATES: readonly string[] = ["streaming", "done", "stopped", "failed"] satisfies Answer["state"][];

/** Reads a stored question or answer; null for anything else. */
export function readStoredEntry(value: unknown): Entry | null {
  if (!isObject(value) || text(value.id) === "" || text(value.conversation) === "") return null;
  if (value.kind === "question") return readStoredQuestion(value);
  return value.kind === "answer" && text(value.question) !== "" ? readStoredAnswer(value) : null;
}

function readStoredQuestion(value: UnknownRecord): Question {
  const { passages, ...rest } = value as Question;
  return {
    ...rest,
    after: toTexts(value.after),
    models: toTexts(value.models),
    text: text(value.text),
    attachments: objectsWithTexts<Attachment>(value.attachments, "id", "kind", "name", "data"),
    results: objectsWithTexts(value.results, "callId", "name", "text"),
    ...(passages && { passages: objectsWithTexts<SentPassage>(passages, "collection_name", "document_name", "text") }),
    createdAt: toNumber(value.createdAt),
  };
}

/** An answer as it is stored: its error is called `fault`, as in records of every version. */
type StoredAnswer = Omit<Answer, "error"> & { fault: Answer["error"] };

/** Returns the record that is stored for a question or an answer, which `readStoredEntry` reads. */
export function toStoredEntry(entry: Entry): Question | StoredAnswer {
  if (entry.kind === "question") return entry;
  const { error, ...rest } = entry;
  return { ...rest, fault: error };
}

function readStoredAnswer(value: UnknownRecord): Answer {
  const { fault, figures, receipt, requestId, finish, streamId, ...rest } = value as Partial<StoredAnswer>;
  return {
    ...(rest as Answer),
    ...(typeof streamId === "string" && { streamId }),
    lane: toNumber(value.lane),
    model: text(value.model),
    text: text(value.text),
    reasoning: text(value.reasoning),
    toolCalls: objectsWithTexts(value.toolCalls, "id", "name", "arguments"),
    state: STATES.includes(text(value.state)) ? (value.state as Answer["state"]) : "stopped",
    finish: finish ?? null,
    error: isObject(fault)
      ? { ...fault, code: text(fault.code), details: isObject(fault.details) ? fault.details : {} }
      : null,
    figures: isObject(figures) ? figures : null,
    receipt: isObject(receipt) ? receipt : null,
    requestId: requestId ?? null,
    createdAt: toNumber(value.createdAt),
    savedAt: toNumber(value.savedAt),
  };
}
