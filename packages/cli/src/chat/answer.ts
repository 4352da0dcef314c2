import { randomUUID } from "node:crypto";
import { type ChatContentPart, type ChatMessage, type Feather, isApiError, type Usage } from "@feather/sdk";

/** Time limit of calls that run a model, or may do so: it is loaded first, and waits for free units, in milliseconds. */
export const MODEL_TIMEOUT_MS = 600_000;
/** Answers that take less time than this are sent at once, so no rate can be measured. */
const MIN_SECONDS_FOR_RATE = 0.1;

/** A message of a conversation. */
export type Message = {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
  /** Pictures that are sent with a user's message. */
  readonly pictures?: readonly Picture[];
};

/** A picture: its name for the person, and its URL, which may be a data URL. */
export type Picture = { readonly name: string; readonly url: string };

/** Options of a request, as the contract names them. */
export type SamplingOptions = {
  /** Models that are tried when the one of the request cannot answer. */
  readonly models?: string[];
  /** Where the model may answer. */
  readonly provider?: { readonly only?: string[]; readonly sort?: "price" | "throughput" | "latency" };
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly seed?: number;
};

/** The form of an answer, as the contract names it. */
export type ResponseFormat = {
  readonly type: "json_schema";
  readonly json_schema: { readonly name: string; readonly schema: Record<string, unknown> };
};

/** A request for an answer of a model. */
export type AnswerRequest = {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly sampling: SamplingOptions;
  readonly responseFormat?: ResponseFormat;
  /** Seconds to wait for free units. */
  readonly queue?: number;
  /** Seconds to wait for a model that has to be loaded first. */
  readonly waitForModel?: number;
};

/** A part of a streamed answer, or its statistics at the end. */
export type AnswerPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "stats"; readonly stats: AnswerStats };

/** Statistics of an answer. */
export type AnswerStats = {
  readonly tokens: number;
  /** Tokens per second from the first part on; null for answers too short to measure. */
  readonly tokensPerSecond: number | null;
  /** Milliseconds until the first token. */
  readonly firstTokenMs: number;
};

/** Returns the current time in milliseconds. */
export type Clock = () => number;

/** How long the server may take to stop an answer, in milliseconds. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * Streams the answer of a model part by part, followed by its statistics. It goes on after a lost connection, and is stopped when it is
 * left before its end.
 */
export async function* streamAnswer(
  client: Feather,
  request: AnswerRequest,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<AnswerPiece> {
  const startedAt = clock();
  let firstAt: number | undefined;
  const streamId = randomUUID();
  let hasEnded = false;
  let usage: Usage | null = null;
  try {
    const stream = await client.chat.completions.create(
      { ...toRequestBody(request), stream: true, stream_options: { include_usage: true } },
      {
        signal,
        timeout: MODEL_TIMEOUT_MS,
        resumable: true,
        headers: { ...toWaitHeaders(request), "x-stream-id": streamId },
      },
    );
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      if (delta?.reasoning_content) yield { kind: "reasoning", text: delta.reasoning_content };
      if (!delta?.content) continue;
      firstAt ??= clock();
      yield { kind: "text", text: delta.content };
    }
    hasEnded = true;
    usage = stream.usage;
  } catch (error) {
    hasEnded = isApiError(error);
    throw error;
  } finally {
    if (!hasEnded) await stopStream(client, streamId);
  }
  const tokens = usage?.completion_tokens;
  if (tokens === undefined || firstAt === undefined) return;
  const seconds = (clock() - firstAt) / 1000;
  const tokensPerSecond = tokens > 1 && seconds >= MIN_SECONDS_FOR_RATE ? tokens / seconds : null;
  yield { kind: "stats", stats: { tokens, tokensPerSecond, firstTokenMs: Math.round(firstAt - startedAt) } };
}

/** Stops an answer, which would else go on without a reader. */
async function stopStream(client: Feather, streamId: string): Promise<void> {
  // The server stops what nobody reads after some minutes anyway.
  await client.streams.stop(streamId, { timeout: STOP_TIMEOUT_MS, maxRetries: 0 }).catch(() => {});
}

/** Returns the request body, without streaming. */
export function toRequestBody({ model, messages, sampling, responseFormat }: AnswerRequest) {
  const format = responseFormat !== undefined && { response_format: responseFormat };
  return { model, messages: messages.map(toMessageBody), ...sampling, ...format };
}

function toMessageBody({ role, content, pictures = [] }: Message): ChatMessage {
  if (pictures.length === 0) return { role, content };
  const parts = pictures.map(({ url }): ChatContentPart => ({ type: "image_url", image_url: { url } }));
  return { role, content: [{ type: "text", text: content }, ...parts] };
}

/** Returns the headers that make the server wait for free units and for the model; none where nothing is said. */
export function toWaitHeaders({
  queue,
  waitForModel,
}: Pick<AnswerRequest, "queue" | "waitForModel">): Record<string, string> {
  return {
    ...(queue !== undefined && { "x-queue-timeout": String(queue) }),
    ...(waitForModel !== undefined && { "x-wait-for-model": String(waitForModel) }),
  };
}

/** Returns the statistics as one line: `212 tokens · 62/s · first after 236 ms`. */
export function formatStats({ tokens, tokensPerSecond, firstTokenMs }: AnswerStats, unicode: boolean): string {
  const parts = [`${tokens} token${tokens === 1 ? "" : "s"}`];
  if (tokensPerSecond !== null)
    parts.push(`${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond)}/s`);
  parts.push(`first after ${firstTokenMs} ms`);
  return parts.join(unicode ? " · " : " | ");
}
