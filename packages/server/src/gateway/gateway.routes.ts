import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Handlers } from "../platform/core/http/handlers.ts";
import { messagesToChat } from "./formats/messages/request.ts";
import type { CallBody } from "./formats/parsed-request.ts";
import { estimatePromptTokens, estimateTokens, iterateTexts } from "./formats/token-estimates.ts";
import type { Preflight } from "./preflight.ts";
import { type TokenCounter, tokenizerUnavailable } from "./tokenizer.ts";

type Deps = {
  tokenizer: TokenCounter;
  preflight: Preflight;
};

/** Handlers of the questions about calls that no model answers. */
export function gatewayRoutes({ tokenizer, preflight }: Deps): Handlers {
  return {
    "messages.countTokens": async ({ actor, body }) => ({
      input_tokens: await countTokens(tokenizer, actor, messagesToChat(body).body),
    }),
    "tokenize.create": async ({ actor, body }) => {
      const model = await tokenizer.findAdmittedModel(actor, body.model);
      const tokens = await tokenizer.tokenize(actor, model, body.text);
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
  const tokens = await tokenizer.tokenize(actor, model, text).catch(() => null);
  return tokens?.length ?? estimatePromptTokens(body) + estimateTokens(tools.length);
}
