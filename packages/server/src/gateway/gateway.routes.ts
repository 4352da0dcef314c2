import type { FastifyReply, FastifyRequest } from "fastify";
import { type Actor, requireSignedIn, type SignedInActor } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";
import type { Handlers } from "../core/http/handlers.ts";
import { getBodyBytes, refuseLargeFields } from "./body-limits.ts";
import type { Call, CallBody, CallKind } from "./call.ts";
import { type AnswerFormat, createChatFormat, createTextFormat } from "./formats/format.ts";
import { createMessagesFormat } from "./formats/messages/format.ts";
import { messagesToChat } from "./formats/messages/request.ts";
import { createResponsesFormat } from "./formats/responses/format.ts";
import { responsesToChat } from "./formats/responses/request.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Preflight } from "./preflight.ts";
import { isRecord } from "./reported-usage.ts";
import type { RunningCalls } from "./running-calls.ts";
import { estimatePromptTokens, estimateTokens, iterateTexts } from "./token-estimates.ts";
import { type TokenCounter, tokenizerUnavailable } from "./tokenizer.ts";

type Deps = {
  pipeline: Pipeline;
  running: RunningCalls;
  clock: Clock;
  tokenizer: TokenCounter;
  preflight: Preflight;
};
type ParsedRequest = { kind: CallKind; body: CallBody; format: AnswerFormat; ignored?: readonly string[] };
type CallInput = { actor: Actor; request: FastifyRequest; reply: FastifyReply };

/**
 * Handlers of the model endpoints: each translates its request to the format of backends, and answers in its own
 * format.
 */
export function gatewayRoutes({ pipeline, running, clock, tokenizer, preflight }: Deps): Handlers {
  async function call(input: CallInput, { kind, body, format, ignored = [] }: ParsedRequest): Promise<FastifyReply> {
    const { request, reply } = input;
    if (isRecord(request.body)) refuseLargeFields(request.body);
    const startedAt = clock.now();
    const startMark = performance.now(); // wall-clock time may be adjusted meanwhile
    const abort = running.start(requireSignedIn(input.actor));
    // `close` also comes after a complete answer; aborting is harmless then.
    reply.raw.on("close", () => abort.abort(CALLER_GONE));
    const newCall: Call = {
      id: request.id,
      kind,
      body,
      format,
      ignored,
      actor: requireSignedIn(input.actor),
      request,
      reply,
      bytes: getBodyBytes(request),
      startedAt,
      elapsedMs: () => performance.now() - startMark,
      signal: abort.signal,
    };
    try {
      return await pipeline(newCall);
    } finally {
      running.end(abort);
    }
  }

  /** Exact where a backend can tokenize, otherwise an estimate. */
  async function countTokens(actor: SignedInActor, body: CallBody): Promise<number> {
    const model = await tokenizer.findAdmittedModel(actor, body.model);
    const tools = body.tools === undefined ? "" : JSON.stringify(body.tools);
    const text = [...iterateTexts(body), tools].join("\n");
    const tokens = await tokenizer.tokenize(model, text).catch(() => null);
    return tokens?.length ?? estimatePromptTokens(body) + estimateTokens(tools.length);
  }

  return {
    "chat.completions.create": (input) => {
      const { body, request } = input;
      return call(input, { kind: "chat", body, format: createChatFormat(request.id, wantsUsage(body)) });
    },
    "completions.create": (input) => {
      const { body, request } = input;
      return call(input, { kind: "completion", body, format: createTextFormat(request.id, wantsUsage(body)) });
    },
    "responses.create": (input) => {
      const { body, ignored } = responsesToChat(input.body);
      return call(input, { kind: "chat", body, ignored, format: createResponsesFormat(input.body, input.request.id) });
    },
    "messages.create": (input) => {
      const { body, ignored } = messagesToChat(input.body);
      const format = createMessagesFormat(input.request.id, () => estimatePromptTokens(body));
      return call(input, { kind: "chat", body, ignored, format });
    },
    "messages.countTokens": async ({ actor, body }) => ({
      input_tokens: await countTokens(actor, messagesToChat(body).body),
    }),
    "embeddings.create": (input) =>
      call(input, { kind: "embedding", body: input.body, format: createChatFormat(input.request.id, false) }),
    "tokenize.create": async ({ actor, body }) => {
      const model = await tokenizer.findAdmittedModel(actor, body.model);
      const tokens = await tokenizer.tokenize(model, body.text);
      if (tokens === null) throw tokenizerUnavailable(model);
      return { tokens };
    },
    "preflight.create": ({ actor, body }) => preflight(actor, body),
  };
}

const CALLER_GONE = new Error("The caller has gone.");

function wantsUsage({ stream_options }: CallBody): boolean {
  return stream_options?.include_usage === true;
}
