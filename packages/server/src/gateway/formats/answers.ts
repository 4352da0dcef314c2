import { isRecord, type ReportedUsage, toOpenAIUsage } from "../usage/reported-usage.ts";
import { type CompletionMeta, toIndex } from "./chunks.ts";
import { readFinishReason, toCallingEnd } from "./finish-reasons.ts";
import { normalizeTexts } from "./message-texts.ts";
import { normalizeToolCalls, type ToolCall } from "./tool-calls.ts";

/** The message of a buffered chat completion. */
export type ChatMessage = {
  role: string;
  content: string | null;
  reasoning_content?: string;
  refusal?: string | null;
  tool_calls?: ToolCall[];
  [field: string]: unknown;
};
/** A choice of a buffered chat or text completion. */
export type AnswerChoice = { index: number; finish_reason: string; message?: ChatMessage; text?: string };
/** A buffered chat or text completion in OpenAI's format. */
export type Answer = CompletionMeta & {
  object: string;
  choices: AnswerChoice[];
  usage: object;
  [field: string]: unknown;
};

/**
 * Converts a backend's buffered answer to the form that strict clients expect. Returns null if it is not a completion, if it
 * ended in an error, or if it has arguments of a tool call without the tool's name.
 */
export function normalizeAnswer(
  kind: "chat" | "completion",
  raw: unknown,
  meta: CompletionMeta,
  usage: ReportedUsage,
): Answer | null {
  if (!isRecord(raw) || !Array.isArray(raw.choices)) return null;
  const rawChoices = raw.choices.filter(isRecord);
  if (rawChoices.length === 0) return null;
  const choices = rawChoices.map((choice, position) =>
    kind === "chat" ? toChatChoice(choice, position, meta.id) : toTextChoice(choice, position),
  );
  if (!choices.every((choice) => choice !== null)) return null;
  if (choices.some(({ finish_reason: reason }) => reason === "error")) return null;
  return {
    ...raw,
    ...(kind === "chat" && { system_fingerprint: raw.system_fingerprint ?? null }), // strict clients require it
    ...meta,
    object: kind === "chat" ? "chat.completion" : "text_completion",
    choices,
    usage: toOpenAIUsage(usage),
  };
}

/** Returns the number of generated characters, which estimates the tokens if the backend counts none. */
export function countCharacters(raw: unknown): number {
  if (!isRecord(raw) || !Array.isArray(raw.choices)) return 0;
  return raw.choices
    .filter(isRecord)
    .flatMap(({ text, message }) => (isRecord(message) ? Object.values({ ...message, role: "" }) : [text]))
    .reduce((sum: number, part) => sum + countCharactersOf(part), 0);
}

function countCharactersOf(part: unknown): number {
  if (typeof part === "string") return part.length;
  return typeof part === "object" && part !== null && Object.keys(part).length > 0 ? JSON.stringify(part).length : 0;
}

function toChatChoice(raw: Record<string, unknown>, position: number, id: string): AnswerChoice | null {
  const { function_call: legacyCall, ...given } = isRecord(raw.message) ? raw.message : {};
  const index = toIndex(raw.index, position);
  const texts = { ...given };
  normalizeTexts(texts);
  const message: ChatMessage = { ...texts, role: "assistant", content: asText(texts.content) };
  if (given.refusal !== undefined) message.refusal = asText(texts.refusal);
  const rawCalls = Array.isArray(given.tool_calls) ? given.tool_calls : [];
  const calls = normalizeToolCalls(
    rawCalls.length === 0 && isRecord(legacyCall) ? [{ function: legacyCall }] : rawCalls,
    `${id}-${index}`,
  );
  if (calls === null) return null;
  if (calls.length > 0) message.tool_calls = calls;
  else delete message.tool_calls;
  const reason = readFinishReason(raw.finish_reason);
  const end = calls.length > 0 ? toCallingEnd(reason) : { ...reason, finish_reason: reason.finish_reason ?? "stop" };
  return { ...raw, index, message, logprobs: raw.logprobs ?? null, ...end } as AnswerChoice;
}

function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function toTextChoice(raw: Record<string, unknown>, position: number): AnswerChoice {
  const reason = readFinishReason(raw.finish_reason);
  const end = { ...reason, finish_reason: reason.finish_reason ?? "stop" };
  return {
    ...raw,
    index: toIndex(raw.index, position),
    text: typeof raw.text === "string" ? raw.text : "",
    logprobs: raw.logprobs ?? null,
    ...end,
  } as AnswerChoice;
}
