import {
  AbortedError,
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  isApiError,
  type StreamEvent,
  StreamTruncatedError,
} from "@feather/sdk";
import type { AnswerError, AnswerMetrics, AnswerState } from "../conversation/types.ts";
import { type AnswerContent, createAnswerAccumulator } from "./answer-accumulator.ts";

/** Starts a streamed completion; `feather.chat.completions.create` in production. */
export type CreateAnswer = (
  body: ChatCompletionRequest & { stream: true },
  options: {
    signal: AbortSignal;
    maxRetries: number;
    headers: Record<string, string>;
    timeout: number;
    resumable: boolean;
  },
) => PromiseLike<AnswerEvents>;

/** The events of an answer. */
export type AnswerEvents = AsyncIterable<StreamEvent> & {
  readonly requestId: string | null;
  /** Null for a stream that cannot be continued. */
  readonly streamId: string | null;
};

type RunOptions = {
  /** Sends the request, or continues its stream. */
  open(): PromiseLike<AnswerEvents>;
  signal: AbortSignal;
  /** Text of the answer that is continued. */
  prefix?: string;
  now(): number;
  /** Called with the content received so far. */
  onProgress(content: AnswerContent): void;
};
/** How a request ended, with everything received. */
export type AnswerResult = {
  content: AnswerContent;
  state: Exclude<AnswerState, "streaming">;
  error: AnswerError | null;
  figures: AnswerMetrics;
  requestId: string | null;
  /** Whether the stream can be continued by its id. */
  isResumable: boolean;
};

/** Loading a cold model may take this long, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30 * 60_000;

/** Streams one answer. Never throws: errors are part of the result, with the content received before. */
export async function runAnswer({ open, signal, prefix, now, onProgress }: RunOptions): Promise<AnswerResult> {
  const startedAt = now();
  const accumulator = createAnswerAccumulator(prefix);
  let firstTokenMs: number | null = null;
  let thinkingMs: number | null = null;
  let stream: AnswerEvents | null = null;
  let usage: ChatCompletionChunk["usage"];
  const toResult = (state: AnswerResult["state"], error: AnswerError | null): AnswerResult => ({
    content: accumulator.content(),
    state,
    error,
    requestId: stream?.requestId ?? error?.requestId ?? null,
    isResumable: typeof stream?.streamId === "string",
    figures: {
      promptTokens: usage?.prompt_tokens ?? null,
      tokens: usage?.completion_tokens ?? null,
      firstTokenMs,
      thinkingMs,
      totalMs: now() - startedAt,
    },
  });
  try {
    stream = await open();
    for await (const chunk of stream) {
      if (!("choices" in chunk)) continue; // streams of other formats are none of the chat
      usage = chunk.usage ?? usage;
      if (!accumulator.add(chunk)) continue;
      firstTokenMs ??= now() - startedAt;
      const content = accumulator.content();
      if (content.reasoning !== "" && hasBegun(content, prefix)) thinkingMs ??= now() - startedAt - firstTokenMs;
      onProgress(content);
    }
    return toResult("done", null);
  } catch (error) {
    const isStopped = isApiError(error) && error.code === "request_stopped"; // in another tab
    if (signal.aborted || isStopped || error instanceof AbortedError) return toResult("stopped", null);
    return toResult("failed", toAnswerError(error, firstTokenMs !== null, now()));
  }
}

/** Returns whether the answer itself has begun, after the reasoning. */
const hasBegun = ({ text, toolCalls }: AnswerContent, prefix = ""): boolean =>
  text.length > prefix.length || toolCalls.length > 0;

/** Converts an exception to the stored error of an answer. */
export function toAnswerError(error: unknown, hasStarted: boolean, now: number): AnswerError {
  if (isApiError(error)) {
    const { code, status, message, requestId, details, retryAfterMs } = error;
    const { reset_in_seconds: resetSeconds } = details;
    const waitMs = typeof resetSeconds === "number" ? resetSeconds * 1000 : retryAfterMs;
    // An error within the stream carries the stream's status 200.
    return {
      code: code ?? `http_${status}`,
      status: status === 200 ? 502 : status,
      message,
      requestId,
      details,
      retryAt: waitMs === null ? null : now + waitMs,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const isCutOff = hasStarted || error instanceof StreamTruncatedError;
  return { code: isCutOff ? "broken_off" : "unreachable", status: 0, message, requestId: null, details: {} };
}
