import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Handlers } from "../platform/core/http/handlers.ts";
import { runExchange } from "./exchange.ts";
import { messagesToChat } from "./formats/messages/request.ts";
import type { CallBody } from "./formats/parsed-request.ts";
import { estimatePromptTokens, estimateTokens, iterateTexts } from "./formats/token-estimates.ts";
import type { ModelCalls, ModelOperation } from "./model-calls.ts";
import type { Preflight } from "./preflight.ts";
import { type TokenCounter, tokenizerUnavailable } from "./tokenizer.ts";

type Deps = {
  modelCalls: ModelCalls;
  tokenizer: TokenCounter;
  preflight: Preflight;
};
type CallInput = { actor: SignedInActor; request: FastifyRequest; reply: FastifyReply };

/** Handlers of the model endpoints. Each translates its request to the format of backends, and answers in its own format. */
export function gatewayRoutes({ modelCalls, tokenizer, preflight }: Deps): Handlers {
  const run =
    (operation: ModelOperation) =>
    ({ actor, ...received }: CallInput) =>
      runExchange(received, (exchange) => modelCalls[operation](actor, exchange));

  return {
    "chat.completions.create": run("chat.completions.create"),
    "completions.create": run("completions.create"),
    "responses.create": run("responses.create"),
    "messages.create": run("messages.create"),
    "embeddings.create": run("embeddings.create"),
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

/** Returns the number of tokens of a request: exact if a backend can tokenize, otherwise an estimate. */
async function countTokens(tokenizer: TokenCounter, actor: SignedInActor, body: CallBody): Promise<number> {
  const model = await tokenizer.findAdmittedModel(actor, body.model);
  const tools = body.tools === undefined ? "" : JSON.stringify(body.tools);
  const text = [...iterateTexts(body), tools].join("\n");
  const tokens = await tokenizer.tokenize(model, text).catch(() => null);
  return tokens?.length ?? estimatePromptTokens(body) + estimateTokens(tools.length);
}
