import { isRecord, type ReportedUsage } from "../reported-usage.ts";
import { type Identity, indexOf, nameReasoningTwice, reasonOf } from "./chunks.ts";
import { type ToolCall, wholeToolCalls } from "./tool-calls.ts";

/** The message of a buffered chat completion. */
export type ChatMessage = {
  role: string;
  content: string | null;
  reasoning_content?: string;
  tool_calls?: ToolCall[];
  [field: string]: unknown;
};
/** A choice of a buffered chat or text completion. */
export type AnsweredChoice = { index: number; finish_reason: string; message?: ChatMessage; text?: string };
/** A buffered chat or text completion in OpenAI's format. */
export type Answer = Identity & { object: string; choices: AnsweredChoice[]; usage: object; [field: string]: unknown };

/** Brings a backend's buffered answer to the form that strict clients expect. Returns null when it is no completion. */
export function wholeAnswer(
  kind: "chat" | "completion",
  raw: unknown,
  identity: Identity,
  usage: ReportedUsage,
): Answer | null {
  if (!isRecord(raw) || !Array.isArray(raw.choices)) return null;
  const given = raw.choices.filter(isRecord);
  if (given.length === 0) return null;
  const choices = given.map((choice, position) =>
    kind === "chat" ? chatChoice(choice, position, identity.id) : textChoice(choice, position),
  );
  return {
    ...raw,
    ...(kind === "chat" && { system_fingerprint: raw.system_fingerprint ?? null }), // strict clients require it
    ...identity,
    object: kind === "chat" ? "chat.completion" : "text_completion",
    choices,
    usage: { ...(isRecord(raw.usage) && raw.usage), ...usageObject(usage) },
  };
}

/** Usage in OpenAI's format. */
export function usageObject({ prompt, completion, cached }: ReportedUsage) {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

/** Characters that the model generated, to estimate tokens when the backend counts none. */
export function charactersSaid(raw: unknown): number {
  if (!isRecord(raw) || !Array.isArray(raw.choices)) return 0;
  return raw.choices
    .filter(isRecord)
    .flatMap(({ text, message }) => (isRecord(message) ? Object.values({ ...message, role: "" }) : [text]))
    .reduce((sum: number, part) => sum + (typeof part === "string" ? part : JSON.stringify(part ?? "")).length, 0);
}

function chatChoice(raw: Record<string, unknown>, position: number, id: string): AnsweredChoice {
  const given = isRecord(raw.message) ? raw.message : {};
  const index = indexOf(raw.index, position);
  const message: ChatMessage = {
    ...given,
    role: "assistant",
    content: typeof given.content === "string" ? given.content : null,
  };
  nameReasoningTwice(message);
  const calls = Array.isArray(given.tool_calls) ? wholeToolCalls(given.tool_calls, `${id}-${index}`) : [];
  if (calls.length > 0) message.tool_calls = calls;
  else delete message.tool_calls;
  const finish_reason = reasonOf(raw.finish_reason) ?? (calls.length > 0 ? "tool_calls" : "stop");
  return { ...raw, index, message, logprobs: raw.logprobs ?? null, finish_reason } as AnsweredChoice;
}

function textChoice(raw: Record<string, unknown>, position: number): AnsweredChoice {
  return {
    ...raw,
    index: indexOf(raw.index, position),
    text: typeof raw.text === "string" ? raw.text : "",
    logprobs: raw.logprobs ?? null,
    finish_reason: reasonOf(raw.finish_reason) ?? "stop",
  } as AnsweredChoice;
}
