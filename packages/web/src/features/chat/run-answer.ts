import {
  AbortedError,
  type AnswerStream,
  type ApiPromise,
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  isApiError,
  StreamTruncatedError,
} from "@feather/sdk";
import { type AnswerParts, createCollector } from "./answer-parts.ts";
import type { AnswerState, Fault, Figures } from "./types.ts";

/** Starts a streamed completion; `feather.chat.completions.create` in production. */
export type CreateAnswer = (
  body: ChatCompletionRequest & { stream: true },
  options: { signal: AbortSignal; maxRetries: number; headers: Record<string, string>; timeout: number },
) => ApiPromise<AnswerStream<ChatCompletionChunk>>;

type Run = {
  create: CreateAnswer;
  body: ChatCompletionRequest & { stream: true };
  signal: AbortSignal;
  headers: Record<string, string>;
  /** Text of the answer that is continued. */
  before?: string;
  now(): number;
  /** Called with the content received so far. */
  grow(parts: AnswerParts): void;
};
/** How a request ended, with everything received. */
export type Ended = {
  parts: AnswerParts;
  state: Exclude<AnswerState, "streaming">;
  fault: Fault | null;
  figures: Figures;
  requestId: string | null;
};

/** Loading a cold model may take this long. */
const LONGEST_WAIT = 30 * 60_000;

/** Streams one answer. Never throws: errors are part of the result, with the content received before. */
export async function runAnswer({ create, body, signal, headers, before, now, grow }: Run): Promise<Ended> {
  const began = now();
  const collector = createCollector(before);
  let firstMs: number | null = null;
  let stream: AnswerStream<ChatCompletionChunk> | null = null;
  const ended = (state: Ended["state"], fault: Fault | null): Ended => ({
    parts: collector.parts(),
    state,
    fault,
    requestId: stream?.requestId ?? fault?.requestId ?? null,
    figures: {
      promptTokens: stream?.usage?.prompt_tokens ?? null,
      tokens: stream?.usage?.completion_tokens ?? null,
      firstMs,
      totalMs: now() - began,
    },
  });
  try {
    stream = await create(body, { signal, maxRetries: 0, headers, timeout: LONGEST_WAIT });
    for await (const chunk of stream) {
      if (!collector.add(chunk)) continue;
      firstMs ??= now() - began;
      grow(collector.parts());
    }
    return ended("done", null);
  } catch (error) {
    if (signal.aborted || error instanceof AbortedError) return ended("stopped", null);
    return ended("failed", faultOf(error, firstMs !== null, now()));
  }
}

/** Converts an exception to the stored error of an answer. */
export function faultOf(error: unknown, begun: boolean, now: number): Fault {
  if (isApiError(error)) {
    const { code, status, message, requestId, details, retryAfterMs } = error;
    const { reset_in_seconds: reset } = details;
    const wait = typeof reset === "number" ? reset * 1000 : retryAfterMs;
    // An error within the stream carries the stream's status 200.
    return {
      code: code ?? `http_${status}`,
      status: status === 200 ? 502 : status,
      message,
      requestId,
      details,
      retryAt: wait === null ? null : now + wait,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const cut = begun || error instanceof StreamTruncatedError;
  return { code: cut ? "broken_off" : "unreachable", status: 0, message, requestId: null, details: {} };
}
