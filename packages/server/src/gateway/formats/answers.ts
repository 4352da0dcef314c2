import { isRecord, type ReportedUsage, toOpenAIUsage } from "../reported-usage.ts";
import { type CompletionMeta, mirrorReasoning, toIndex } from "./chunks.ts";
import { readFinishReason } from "./finish-reasons.ts";
import { normalizeToolCalls, type ToolCall } from "./tool-calls.ts";

/** The message of a buffered chat completion. */
export type ChatMessage = {
  role: string;
  content: string | null;
  reasoning_content?: string;
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

/** Brings a backend's buffered answer to the form that strict clients expect. Returns null when it is no completion. */
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
  return {
    ...raw,
    ...(kind === "chat" && { system_fingerprint: raw.system_fingerprint ?? null }), // strict clients require it
    ...meta,
    object: kind === "chat" ? "chat.completion" : "text_completion",
    choices,
    usage: toOpenAIUsage(usage),
  };
}

/** Characters that the model generated, to estimate tokens when the backend counts none. */
export function countCharacters(raw: unknown): number {
  if (!isRecord(raw) || !Array.isArray(raw.choices)) return 0;
  return raw.choices
    .filter(isRecord)
    .flatMap(({ text, message }) => (isRecord(message) ? Object.values({ ...message, role: "" }) : [text]))
    .reduce((sum: number, part) => sum + (typeof part === "string" ? part : JSON.stringify(part ?? "")).length, 0);
}

function toChatChoice(raw: Record<string, unknown>, position: number, id: string): AnswerChoice {
  const rawMessage = isRecord(raw.message) ? raw.message : {};
  const index = toIndex(raw.index, position);
  const message: ChatMessage = {
    ...rawMessage,
    role: "assistant",
    content: typeof rawMessage.content === "string" ? rawMessage.content : null,
  };
  mirrorReasoning(message);
  const calls = Array.isArray(rawMessage.tool_calls) ? normalizeToolCalls(rawMessage.tool_calls, `${id}-${index}`) : [];
  if (calls.length > 0) message.tool_calls = calls;
  else delete message.tool_calls;
  const end = readFinishReason(raw.finish_reason);
  end.finish_reason ??= calls.length > 0 ? "tool_calls" : "stop";
  return { ...raw, index, message, logprobs: raw.logprobs ?? null, ...end } as AnswerChoice;
}

function toTextChoice(raw: Record<string, unknown>, position: number): AnswerChoice {
  return {
    ...raw,
    index: toIndex(raw.index, position),
    text: typeof raw.text === "string" ? raw.text : "",
    logprobs: raw.logprobs ?? null,
    ...readFinishReason(raw.finish_reason ?? "stop"),
  } as AnswerChoice;
}
