import type { FastifyInstance } from "fastify";
import type { Delta } from "../generation/run-choice.ts";
import type { ChoicePlan } from "../generation/run-choices.ts";
import {
  type CompletionRequest,
  completionRequestSchema,
  DEFAULT_COMPLETION_TOKENS,
  toPrompts,
  validateCompletionRequest,
} from "../openai/completion-request.ts";
import { createCompletionChunks, toTextCompletion } from "../openai/completion-response.ts";
import {
  DEFAULT_PRIORITY,
  toChoiceSampling,
  toMinTokens,
  toSampling,
  toStopTexts,
} from "../openai/generation-fields.ts";
import { parseBody } from "../openai/parse-body.ts";
import type { ServerDependencies } from "./dependencies.ts";
import { type ChunkWriter, type FinishedChoice, getTokenBudget, replyWithBody, replyWithStream } from "./reply.ts";

type CompletionPlan = { choices: ChoicePlan[]; echoes: string[]; promptTokens: number };

/** Registers `POST /v1/completions`. */
export function registerCompletionRoute(
  app: FastifyInstance,
  dependencies: ServerDependencies,
  stopping: AbortSignal,
): void {
  const { modelId, now, newId, log } = dependencies;

  app.post("/v1/completions", async (request, reply) => {
    const body = parseBody(completionRequestSchema, request.body);
    validateCompletionRequest(body);
    const plan = planCompletion(body, dependencies);
    const identity = { id: `cmpl-${newId()}`, created: Math.floor(now().getTime() / 1000), model: modelId };
    const context = { reply, stopping, log };
    const logprobs = typeof body.logprobs === "number";
    if (!body.stream) {
      const toBody = (finished: readonly FinishedChoice[]) => {
        const choices = finished.map((choice, index) => ({ ...choice, echo: plan.echoes[index] ?? "" }));
        return toTextCompletion(identity, plan.promptTokens, choices, { logprobs });
      };
      return replyWithBody(plan.choices, toBody, context);
    }
    const includeUsage = body.stream_options?.include_usage ?? false;
    const chunks = createCompletionChunks(identity, { includeUsage, logprobs });
    return replyWithStream(plan.choices, createChunkWriter(chunks, plan, includeUsage), context);
  });
}

/** Choices are numbered prompt by prompt: all choices of the first, then those of the second. */
function planCompletion(body: CompletionRequest, { model, randomSeed }: ServerDependencies): CompletionPlan {
  const sampling = toSampling(body, randomSeed);
  const choicesPerPrompt = body.n ?? 1;
  const requestedTokens = body.max_tokens ?? DEFAULT_COMPLETION_TOKENS;
  const minTokens = toMinTokens(body.min_tokens, requestedTokens);
  const prompts = toPrompts(body).map((given) =>
    typeof given === "string" ? { text: given, prompt: model.promptFromText(given) } : model.promptFromTokens(given),
  );
  const plannedChoices = prompts.flatMap(({ text, prompt }) => {
    const maxTokens = getTokenBudget(model, prompt, requestedTokens, "prompt");
    return Array.from({ length: choicesPerPrompt }, (_, index) => ({
      echo: body.echo ? text : "",
      choice: {
        prompt,
        stopTexts: toStopTexts(body.stop),
        keepStopText: body.include_stop_str_in_output ?? false,
        options: {
          priority: body.priority ?? DEFAULT_PRIORITY,
          sampling: toChoiceSampling(sampling, index),
          maxTokens,
          minTokens,
          stopTokenIds: body.stop_token_ids ?? [],
          output: { type: "text" as const },
          topLogprobs: body.logprobs ?? undefined,
        },
      },
    }));
  });
  return {
    choices: plannedChoices.map(({ choice }) => choice),
    echoes: plannedChoices.map(({ echo }) => echo),
    promptTokens: prompts.reduce((sum, { prompt }) => sum + prompt.tokenCount, 0),
  };
}

function createChunkWriter(
  chunks: ReturnType<typeof createCompletionChunks>,
  plan: CompletionPlan,
  includeUsage: boolean,
): ChunkWriter {
  const toChunks = (index: number, delta: Delta) =>
    delta.type === "text" ? [chunks.delta(index, delta.text, delta.logprobs)] : [];
  const hasEcho = plan.echoes.some((echo) => echo !== "");
  return {
    ...(hasEcho && { start: (index: number) => chunks.delta(index, plan.echoes[index] ?? "", []) }),
    delta: toChunks,
    end: chunks.end,
    usage: includeUsage ? (tokens) => chunks.usage(plan.promptTokens, tokens) : undefined,
  };
}
