import type { Feather } from "@feather/sdk";

/** An answer that came faster says nothing of how fast tokens come: it was sent in one go. */
const MIN_SECONDS_FOR_RATE = 0.1;

export type Message = {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
  /** Pictures that go with what a person says. */
  readonly pictures?: readonly Picture[];
};

/** A picture: what a person calls it, and its address, which may hold the picture itself. */
export type Picture = { readonly name: string; readonly url: string };

/** Settings of the answer, as the contract names them. */
export type Sampling = {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly seed?: number;
};

export type AnswerRequest = {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
  /** Seconds to wait for free units. */
  readonly queue?: number;
};

/** A piece of an answer, or its figures at the end. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "stats"; readonly stats: Stats };

export type Stats = {
  readonly tokens: number;
  /** Tokens a second, from the first piece on; null for answers too short to tell. */
  readonly rate: number | null;
  /** Milliseconds until the first piece. */
  readonly firstAfter: number;
};

export type Clock = () => number;

/** Asks a model and gives the answer piece by piece, then the figures. */
export async function* answer(
  client: Feather,
  request: AnswerRequest,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<Piece> {
  const started = clock();
  let first: number | undefined;
  const stream = await client.chat.completions.create(
    { ...requestBody(request), stream: true, stream_options: { include_usage: true } },
    { signal, headers: queueHeader(request) },
  );
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta;
    if (delta?.reasoning_content) yield { kind: "reasoning", text: delta.reasoning_content };
    if (!delta?.content) continue;
    first ??= clock();
    yield { kind: "text", text: delta.content };
  }
  const tokens = stream.usage?.completion_tokens;
  if (tokens === undefined || first === undefined) return;
  const seconds = (clock() - first) / 1000;
  const rate = tokens > 1 && seconds >= MIN_SECONDS_FOR_RATE ? tokens / seconds : null;
  yield { kind: "stats", stats: { tokens, rate, firstAfter: Math.round(first - started) } };
}

/** The body of the call, without streaming. */
export function requestBody({ model, messages, sampling }: AnswerRequest) {
  return { model, messages: messages.map(messageBody), ...sampling };
}

function messageBody({ role, content, pictures = [] }: Message) {
  if (pictures.length === 0) return { role, content };
  const parts = pictures.map(({ url }) => ({ type: "image_url", image_url: { url } }));
  return { role, content: [{ type: "text", text: content }, ...parts] };
}

/** The header that waits for free units. */
export function queueHeader({ queue }: Pick<AnswerRequest, "queue">): Record<string, string> {
  return queue === undefined ? {} : { "x-queue-timeout": String(queue) };
}

/** `212 tokens · 62/s · first after 236 ms`. */
export function statsText({ tokens, rate, firstAfter }: Stats, unicode: boolean): string {
  const parts = [`${tokens} token${tokens === 1 ? "" : "s"}`];
  if (rate !== null) parts.push(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`);
  parts.push(`first after ${firstAfter} ms`);
  return parts.join(unicode ? " · " : " | ");
}
