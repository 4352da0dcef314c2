import { USUAL_SETTINGS } from "../settings.ts";
import type { Answer, Attachment, Conversation, Entry, Question } from "../types.ts";

type Loose = Record<string, unknown>;

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown): string[] => list(value).filter((one) => typeof one === "string");
/** Returns the objects of a list whose named fields are all strings. */
const withTexts = <T>(value: unknown, ...names: (keyof T & string)[]): T[] =>
  list(value).filter((one) => isObject(one) && names.every((name) => typeof one[name] === "string")) as T[];

/**
 * Reads a stored conversation of any version, even a corrupt one: missing fields get defaults. Null if it is not a
 * conversation.
 */
export function keptConversation(value: unknown): Conversation | null {
  if (!isObject(value) || text(value.id) === "") return null;
  const given = isObject(value.settings) ? value.settings : {};
  const known = Object.entries(USUAL_SETTINGS).map(([name, usual]) => [
    name,
    typeof given[name] === typeof usual ? given[name] : usual,
  ]);
  return {
    id: text(value.id),
    title: text(value.title),
    named: value.named === true,
    models: texts(value.models),
    settings: Object.fromEntries(known) as Conversation["settings"],
    chosen: isObject(value.chosen) ? (value.chosen as Conversation["chosen"]) : {},
    createdAt: number(value.createdAt),
    updatedAt: number(value.updatedAt),
    deletedAt: typeof value.deletedAt === "number" ? value.deletedAt : null,
  };
}

const STATES: readonly string[] = ["streaming", "done", "stopped", "failed"] satisfies Answer["state"][];

/** Reads a stored question or answer; null for anything else. */
export function keptEntry(value: unknown): Entry | null {
  if (!isObject(value) || text(value.id) === "" || text(value.conversation) === "") return null;
  if (value.kind === "question") return keptQuestion(value);
  return value.kind === "answer" && text(value.question) !== "" ? keptAnswer(value) : null;
}

function keptQuestion(value: Loose): Question {
  return {
    ...(value as Question),
    after: texts(value.after),
    models: texts(value.models),
    text: text(value.text),
    attachments: withTexts<Attachment>(value.attachments, "id", "kind", "name", "data"),
    results: withTexts(value.results, "callId", "name", "text"),
    createdAt: number(value.createdAt),
  };
}

function keptAnswer(value: Loose): Answer {
  const { fault, figures, receipt, requestId, finish } = value as Partial<Answer>;
  return {
    ...(value as Answer),
    lane: number(value.lane),
    model: text(value.model),
    text: text(value.text),
    reasoning: text(value.reasoning),
    toolCalls: withTexts(value.toolCalls, "id", "name", "arguments"),
    state: STATES.includes(text(value.state)) ? (value.state as Answer["state"]) : "stopped",
    finish: finish ?? null,
    fault: isObject(fault)
      ? { ...fault, code: text(fault.code), details: isObject(fault.details) ? fault.details : {} }
      : null,
    figures: isObject(figures) ? figures : null,
    receipt: isObject(receipt) ? receipt : null,
    requestId: requestId ?? null,
    createdAt: number(value.createdAt),
    savedAt: number(value.savedAt),
  };
}
