import type { FastifyReply, FastifyRequest } from "fastify";
import { type Actor, type SignedIn, signedIn } from "../http/actor.ts";
import type { Handlers } from "../http/bind.ts";
import type { Clock } from "../shared/clock.ts";
import { bodyBytes, refuseLargeFields } from "./body-limits.ts";
import type { Call, CallBody, CallKind } from "./call.ts";
import { type AnswerFormat, chatFormat, textFormat } from "./formats/format.ts";
import { messagesFormat } from "./formats/messages/format.ts";
import { chatOfMessages } from "./formats/messages/request.ts";
import { responsesFormat } from "./formats/responses/format.ts";
import { chatOfResponses } from "./formats/responses/request.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Preflight } from "./preflight.ts";
import { isRecord } from "./reported-usage.ts";
import type { RunningCalls } from "./running-calls.ts";
import { estimatePrompt, estimateTokens, textsOf } from "./token-estimates.ts";
import { noTokenizer, type TokenCounter } from "./tokenizer.ts";

type Deps = {
  pipeline: Pipeline;
  running: RunningCalls;
  clock: Clock;
  tokenizer: TokenCounter;
  preflight: Preflight;
};
type Asked = { kind: CallKind; body: CallBody; format: AnswerFormat; ignored?: readonly string[] };
type Input = { actor: Actor; request: FastifyRequest; reply: FastifyReply };

/**
 * Handlers of the model endpoints: each translates its request to the format of backends, and answers in its own
 * format.
 */
export function gatewayRoutes({ pipeline, running, clock, tokenizer, preflight }: Deps): Handlers {
  async function call(input: Input, { kind, body, format, ignored = [] }: Asked): Promise<FastifyReply> {
    const { request, reply } = input;
    if (isRecord(request.body)) refuseLargeFields(request.body);
    const startedAt = clock.now();
    const begunAt = performance.now(); // wall-clock time may be adjusted meanwhile
    const abort = running.begin(signedIn(input.actor));
    // `close` also comes after a complete answer; aborting is harmless then.
    reply.raw.on("close", () => abort.abort(CALLER_GONE));
    const made: Call = {
      id: request.id,
      kind,
      body,
      format,
      ignored,
      actor: signedIn(input.actor),
      request,
      reply,
      bytes: bodyBytes(request),
      startedAt,
      elapsed: () => performance.now() - begunAt,
      signal: abort.signal,
    };
    try {
      return await pipeline(made);
    } finally {
      running.end(abort);
    }
  }

  /** Exact where a backend can tokenize, otherwise an estimate. */
  async function countTokens(actor: SignedIn, body: CallBody): Promise<number> {
    const model = await tokenizer.admitted(actor, body.model);
    const tools = body.tools === undefined ? "" : JSON.stringify(body.tools);
    const text = [...textsOf(body), tools].join("\n");
    const tokens = await tokenizer.tokens(model, text).catch(() => null);
    return tokens?.length ?? estimatePrompt(body) + estimateTokens(tools.length);
  }

  return {
    "chat.completions.create": (input) => {
      const { body, request } = input;
      return call(input, { kind: "chat", body, format: chatFormat(request.id, wantsUsage(body)) });
    },
    "completions.create": (input) => {
      const { body, request } = input;
      return call(input, { kind: "completion", body, format: textFormat(request.id, wantsUsage(body)) });
    },
    "responses.create": (input) => {
      const { body, ignored } = chatOfResponses(input.body);
      return call(input, { kind: "chat", body, ignored, format: responsesFormat(input.body, input.request.id) });
    },
    "messages.create": (input) => {
      const { body, ignored } = chatOfMessages(input.body);
      const format = messagesFormat(input.request.id, () => estimatePrompt(body));
      return call(input, { kind: "chat", body, ignored, format });
    },
    "messages.countTokens": async ({ actor, body }) => ({
      input_tokens: await countTokens(signedIn(actor), chatOfMessages(body).body),
    }),
    "embeddings.create": (input) =>
      call(input, { kind: "embedding", body: input.body, format: chatFormat(input.request.id, false) }),
    "tokenize.create": async ({ actor, body }) => {
      const model = await tokenizer.admitted(signedIn(actor), body.model);
      const tokens = await tokenizer.tokens(model, body.text);
      if (tokens === null) throw noTokenizer(model);
      return { tokens };
    },
    "preflight.create": ({ actor, body }) => preflight(signedIn(actor), body),
  };
}

const CALLER_GONE = new Error("The caller has gone.");

function wantsUsage({ stream_options }: CallBody): boolean {
  return stream_options?.include_usage === true;
}
