import type { FastifyInstance } from "fastify";
import type { ChoicePlan } from "../generation/run-choices.ts";
import { createChatChunks } from "../openai/chat-chunks.ts";
import { type ChatRequest, chatRequestSchema, toConversation } from "../openai/chat-request.ts";
import { toChatCompletion } from "../openai/chat-response.ts";
import { unsupportedParameter } from "../openai/errors.ts";
import {
  DEFAULT_PRIORITY,
  toChoiceSampling,
  toMinTokens,
  toSampling,
  toStopTexts,
} from "../openai/generation-fields.ts";
import { parseBody } from "../openai/parse-body.ts";
import { readRequestSchemas } from "../openai/request-schemas.ts";
import { findUnreadValues } from "../openai/unread-values.ts";
import type { ServerDependencies } from "./dependencies.ts";
import { getTokenBudget, replyWithBody, replyWithStream } from "./reply.ts";

/** The most ignored fields that a header lists. */
const MAX_IGNORED = 50;

/** Registers `POST /v1/chat/completions`. */
export function registerChatRoute(app: FastifyInstance, dependencies: ServerDependencies, stopping: AbortSignal): void {
  const { modelId, now, newId, log } = dependencies;

  app.post("/v1/chat/completions", async (request, reply) => {
    const body = parseBody(chatRequestSchema, request.body);
    const isStrict = request.headers["x-strict-params"] === "1";
    const { plans, promptTokens, ignored } = planChat(body, isStrict, dependencies);
    if (ignored.length > 0) reply.header("x-ignored-params", ignored.slice(0, MAX_IGNORED).join(", "));
    const identity = { id: `chatcmpl-${newId()}`, created: Math.floor(now().getTime() / 1000), model: modelId };
    const context = { reply, stopping, log };
    const logprobs = body.logprobs ?? false;
    if (!body.stream) {
      const toBody = (choices: Parameters<typeof toChatCompletion>[2]) =>
        toChatCompletion(identity, promptTokens, choices, { logprobs, newId });
      return replyWithBody(plans, toBody, context);
    }
    const includeUsage = body.stream_options?.include_usage ?? false;
    const chunks = createChatChunks(identity, { includeUsage, logprobs, newId });
    const usage = includeUsage ? (tokens: number) => chunks.usage(promptTokens, tokens) : undefined;
    return replyWithStream(plans, { ...chunks, usage }, context);
  });
}

/**
 * Returns the plan of each choice. `ignored` lists the paths of fields without an effect; the request is refused for
 * one if it `isStrict`.
 */
function planChat(
  body: ChatRequest,
  isStrict: boolean,
  { model, randomSeed }: ServerDependencies,
): { plans: ChoicePlan[]; promptTokens: number; ignored: readonly string[] } {
  const schemas = readRequestSchemas(body, { isStrict, holdsOwnCalls: model.holdsOwnCalls });
  const conversation = toConversation(body, model.supportsTools, schemas);
  const unread = findUnreadValues(conversation.templateValues, model.readsTemplateVariable);
  const [firstUnread] = unread;
  if (firstUnread !== undefined && isStrict) {
    throw unsupportedParameter(firstUnread, `This model's chat template does not read ${firstUnread}. Leave it out.`);
  }
  const prompt = model.promptFromChat(conversation);
  if (body.logprobs && !prompt.supportsLogprobs) {
    throw unsupportedParameter("logprobs", "Log probabilities are not available with tools or reasoning models.");
  }
  const requestedTokens = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  const minTokens = toMinTokens(body.min_tokens, requestedTokens);
  const hasTools = body.tools?.length && body.tool_choice !== "none";
  if (minTokens > 0 && (hasTools || (body.response_format && body.response_format.type !== "text"))) {
    throw unsupportedParameter("min_tokens", "min_tokens can't be combined with tools or a response format.");
  }
  const maxTokens = getTokenBudget(model, prompt, requestedTokens, "messages");
  const sampling = toSampling(body, randomSeed);
  const plans = Array.from({ length: body.n ?? 1 }, (_, index) => ({
    prompt,
    stopTexts: toStopTexts(body.stop),
    keepStopText: body.include_stop_str_in_output ?? false,
    options: {
      priority: body.priority ?? DEFAULT_PRIORITY,
      sampling: toChoiceSampling(sampling, index),
      maxTokens,
      minTokens,
      stopTokenIds: body.stop_token_ids ?? [],
      output: schemas.output,
      topLogprobs: body.logprobs ? (body.top_logprobs ?? 0) : undefined,
    },
  }));
  return { plans, promptTokens: prompt.tokenCount, ignored: [...unread, ...schemas.ignored] };
}
