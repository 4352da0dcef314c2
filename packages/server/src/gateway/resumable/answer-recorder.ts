import type { components } from "@feather/openapi/schema";
import type { AppError } from "../../platform/core/errors/index.ts";
import { parseJson } from "../backends/parse-json.ts";
import { isRecord } from "../usage/reported-usage.ts";

type AnswerFields = components["schemas"]["AnswerFields"];
/** How an answer of a call ended, as conversations hold it. */
export type RecordedAnswer = { text: string } & Pick<
  AnswerFields,
  "reasoning" | "tool_calls" | "state" | "finish_reason" | "error" | "metrics" | "request_id"
>;

type Options = {
  requestId: string;
  /** The present time in milliseconds since 1970. */
  nowMs(): number;
};

/** Collects the first answer of a chat completion while it is streamed. */
export type AnswerRecorder = {
  /** Adds the text of events. */
  add(text: string): void;
  /** Returns the answer; null for one that is longer than those of conversations. The error is that of a call without an answer. */
  end(refusal?: AppError): RecordedAnswer | null;
};

type ToolCall = AnswerFields["tool_calls"][number];
type ToolCallDelta = { index?: number; id?: string; function?: { name?: string; arguments?: string } };
type Delta = { content?: string | null; reasoning_content?: unknown; reasoning?: unknown; tool_calls?: unknown };
type Chunk = {
  choices?: { index?: number; delta?: Delta; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: StreamedError;
};
type StreamedError = { code?: string | null; message?: string; details?: Record<string, unknown> };
type Recorded = {
  content: string;
  reasoning: string;
  calls: ToolCall[];
  finish: string | null;
  usage: Chunk["usage"];
  error: AnswerFields["error"];
  firstTokenMs: number | null;
  /** Characters of the texts and the arguments. */
  length: number;
};

/** The limits of the contract for an answer of a conversation. */
const MAX_LENGTH = 2_000_000;
const MAX_ARGUMENTS_LENGTH = 1_000_000;
const MAX_CALLS = 128;
const MAX_CALL_ID_LENGTH = 200;
const MAX_CALL_NAME_LENGTH = 256;
const MAX_ERROR_LENGTH = 10_000;
const HIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;
/** The status of an error within a stream, whose response has begun with another one. */
const STREAMED_ERROR_STATUS = 502;

/** Creates a recorder of one answer, whose times count from now. */
export function createAnswerRecorder({ requestId, nowMs }: Options): AnswerRecorder {
  const startedAt = nowMs();
  const recorded: Recorded = {
    content: "",
    reasoning: "",
    calls: [],
    finish: null,
    usage: null,
    error: null,
    firstTokenMs: null,
    length: 0,
  };
  return {
    add(text) {
      // JSON may hold U+2028 and U+2029, which end lines for `.`, `^` and `$` but not in a stream of events.
      for (const line of text.split(/\r\n|\n|\r/)) {
        const chunk = line.startsWith("data: {") ? parseJson(line.slice("data: ".length)) : null;
        if (isRecord(chunk)) addChunk(recorded, chunk, { requestId, elapsedMs: nowMs() - startedAt });
      }
    },
    end: (refusal) => toAnswer(recorded, { refusal, requestId, elapsedMs: nowMs() - startedAt }),
  };
}

function addChunk(
  recorded: Recorded,
  { choices, usage, error }: Chunk,
  { requestId, elapsedMs }: { requestId: string; elapsedMs: number },
): void {
  if (error) recorded.error = toStreamedError(error, requestId);
  recorded.usage = usage ?? recorded.usage;
  const choice = choices?.find(({ index = 0 }) => index === 0);
  if (!choice || recorded.length > MAX_LENGTH) return;
  const { content, reasoning_content, reasoning, tool_calls } = choice.delta ?? {};
  const thought = [reasoning_content, reasoning].find((one) => typeof one === "string") ?? "";
  recorded.content += content ?? "";
  recorded.reasoning += thought;
  recorded.length += (content?.length ?? 0) + thought.length;
  if (Array.isArray(tool_calls)) for (const one of tool_calls as ToolCallDelta[]) addCall(recorded, one);
  recorded.finish = choice.finish_reason ?? recorded.finish;
  if (content || thought || tool_calls) recorded.firstTokenMs ??= elapsedMs;
}

function addCall(recorded: Recorded, delta: ToolCallDelta): void {
  const { calls } = recorded;
  const index = delta.index ?? calls.length;
  if (index < 0 || index >= MAX_CALLS) return;
  const current = calls[index] ?? { id: `call_${index}`, name: "", arguments: "" };
  const added = delta.function?.arguments ?? "";
  calls[index] = {
    id: (delta.id ?? current.id).slice(0, MAX_CALL_ID_LENGTH),
    name: (current.name + (delta.function?.name ?? "")).replace(HIDDEN, " ").slice(0, MAX_CALL_NAME_LENGTH),
    arguments: current.arguments + added,
  };
  recorded.length += added.length;
}

const toStreamedError = ({ code, message, details }: StreamedError, requestId: string): AnswerFields["error"] => ({
  code: code ?? `http_${STREAMED_ERROR_STATUS}`,
  status: STREAMED_ERROR_STATUS,
  message: (message ?? "").slice(0, MAX_ERROR_LENGTH),
  request_id: requestId,
  details: details ?? {},
});

const toRefusal = (error: AppError, requestId: string): AnswerFields["error"] => ({
  code: error.code,
  status: error.status,
  message: error.message.slice(0, MAX_ERROR_LENGTH),
  request_id: requestId,
  details: error.details ?? {},
});

type End = { refusal: AppError | undefined; requestId: string; elapsedMs: number };

function toAnswer(recorded: Recorded, { refusal, requestId, elapsedMs }: End): RecordedAnswer | null {
  const { calls, finish, usage, firstTokenMs, length } = recorded;
  const error = refusal ? toRefusal(refusal, requestId) : recorded.error;
  const isStopped = error?.code === "request_stopped";
  if (length > MAX_LENGTH || calls.some((one) => one?.arguments.length > MAX_ARGUMENTS_LENGTH)) return null;
  const { text, thought } = splitThought(recorded.content);
  return {
    text: withoutNul(text),
    reasoning: withoutNul(recorded.reasoning + thought),
    tool_calls: calls.filter(Boolean).map((one) => ({ ...one, arguments: withoutNul(one.arguments) })),
    state: isStopped ? "stopped" : error ? "failed" : "done",
    finish_reason: finish,
    error: isStopped ? null : error,
    metrics: {
      prompt_tokens: usage?.prompt_tokens ?? null,
      tokens: usage?.completion_tokens ?? null,
      first_token_ms: firstTokenMs,
      total_ms: elapsedMs,
    },
    request_id: requestId,
  };
}

/** Leaves out characters of the code 0, which conversations may not hold. */
const withoutNul = (text: string): string => text.replaceAll("\0", "");

/** Separates a leading `<think>` block, as some backends write it, from the text. One without an end is all thought. */
function splitThought(content: string): { text: string; thought: string } {
  const [, thought = "", end, text = ""] = /^\s*<think>(.*?)(?:(<\/think>)(.*))?$/s.exec(content) ?? [];
  if (!/^\s*<think>/.test(content)) return { text: content, thought: "" };
  return { text: end === undefined ? "" : text.trimStart(), thought: thought.trim() };
}
