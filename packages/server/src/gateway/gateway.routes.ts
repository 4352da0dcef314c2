import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignedInActor } from "../core/auth/actor.ts";
import type { Handlers } from "../core/http/handlers.ts";
import type { CallBody, ParsedRequest } from "./call.ts";
import { runExchange } from "./exchange.ts";
import { readChatRequest } from "./formats/chat/request.ts";
import { readCompletionsRequest } from "./formats/completions/request.ts";
import { readEmbeddingsRequest } from "./formats/embeddings/request.ts";
import { messagesToChat, readMessagesRequest } from "./formats/messages/request.ts";
import { readResponsesRequest } from "./formats/responses/request.ts";
import type { CallPolicy, RunCall } from "./pipeline.ts";
import type { Preflight } from "./preflight.ts";
import { estimatePromptTokens, estimateTokens, iterateTexts } from "./token-estimates.ts";
import { type TokenCounter, tokenizerUnavailable } from "./tokenizer.ts";

type Deps = {
  runCall: RunCall;
  policyFor(caller: SignedInActor): CallPolicy;
  tokenizer: TokenCounter;
  preflight: Preflight;
};
type CallInput = { actor: SignedInActor; request: FastifyRequest; reply: FastifyReply };

/**
 * Handlers of the model endpoints: each translates its request to the format of backends, and answers in its own
 * format.
 */
export function gatewayRoutes({ runCall, policyFor, tokenizer, preflight }: Deps): Handlers {
  const run = ({ actor, ...received }: CallInput, parsed: ParsedRequest) =>
    runExchange(received, (exchange) => runCall({ ...parsed, actor, exchange }, policyFor(actor)));

  return {
    "chat.completions.create": (input) => run(input, readChatRequest(input.body, input.request.id)),
    "completions.create": (input) => run(input, readCompletionsRequest(input.body, input.request.id)),
    "responses.create": (input) => run(input, readResponsesRequest(input.body, input.request.id)),
    "messages.create": (input) => run(input, readMessagesRequest(input.body, input.request.id)),
    "embeddings.create": (input) => run(input, readEmbeddingsRequest(input.body)),
    "messages.countTokens": async ({ actor, body }) => ({
      input_tokens: await countTokens(tokenizer, actor, messagesToChat(body).body),
    }),
    "tokenize.create": async ({ actor, body }) => {
      const model = await tokenizer.findAdmittedModel(actor, body.model);
      const tokens = await tokenizer.tokenize(model, body.text);
      if (tokens === null) throw tokenizerUnavailable(model);
      return { tokens };
    },
    "preflight.create": ({ actor, body }) => preflight(actor, body),
  };
}

/** The tokens of a request: exact where a backend can tokenize, otherwise an estimate. */
async function countTokens(tokenizer: TokenCounter, actor: SignedInActor, body: CallBody): Promise<number> {
  const model = await tokenizer.findAdmittedModel(actor, body.model);
  const tools = body.tools === undefined ? "" : JSON.stringify(body.tools);
  const text = [...iterateTexts(body), tools].join("\n");
  const tokens = await tokenizer.tokenize(model, text).catch(() => null);
  return tokens?.length ?? estimatePromptTokens(body) + estimateTokens(tools.length);
}
