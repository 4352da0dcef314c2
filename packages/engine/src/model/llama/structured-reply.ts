import {
  type ChatHistoryItem,
  type ChatModelFunctions,
  type ChatWrapper,
  type LLamaContextualRepeatPenalty,
  LlamaChat,
  type LlamaContextSequence,
  type LlamaGrammar,
  type LlamaModel,
  type Token,
} from "node-llama-cpp";
import type { EndReason, GenerationEvent, GenerationOptions, Sampling } from "../engine-model.ts";
import { createTokenBias, toEvaluateOptions } from "./sampling.ts";
import { createThoughtEdges } from "./thought-edges.ts";
import { asToken } from "./tokens.ts";

/** A reply to generate, with the chat and its tools. */
export type StructuredReply = {
  model: LlamaModel;
  sequence: LlamaContextSequence;
  wrapper: ChatWrapper;
  history: ChatHistoryItem[];
  functions: ChatModelFunctions;
  parallelToolCalls: boolean;
  /** Lists the model's own end tokens. */
  endTokens: () => readonly Token[];
  grammar: LlamaGrammar | undefined;
  options: GenerationOptions;
  signal: AbortSignal;
};

/**
 * Uses node-llama-cpp to split a reply into text, reasoning and tool calls, for models whose template marks them. Its
 * callbacks have no backpressure, so events are queued in the stream; `maxTokens` bounds the queue.
 */
export async function* generateStructuredReply(reply: StructuredReply): AsyncGenerator<GenerationEvent, void, void> {
  const consumerStopped = new AbortController();
  const signal = AbortSignal.any([reply.signal, consumerStopped.signal]);
  const queue = new TransformStream<GenerationEvent, GenerationEvent>(undefined, undefined, {
    highWaterMark: Infinity,
  });
  const writer = queue.writable.getWriter();
  const emit = (event: GenerationEvent) => void writer.write(event).catch(() => {});
  const finished = generateResponse({ ...reply, signal }, emit)
    .then(async (end) => {
      emit(end);
      await writer.close();
    })
    .catch((error: unknown) => writer.abort(error))
    .catch(() => {});
  try {
    yield* queue.readable;
  } finally {
    consumerStopped.abort();
    // The sequence must be idle before another generation gets it.
    await finished;
  }
}

async function generateResponse(
  reply: StructuredReply,
  emit: (event: GenerationEvent) => void,
): Promise<GenerationEvent> {
  const { model, sequence, wrapper, history, functions, options, signal } = reply;
  const chat = new LlamaChat({ contextSequence: sequence, chatWrapper: wrapper, autoDisposeSequence: false });
  const meterBefore = sequence.tokenMeter.getState();
  const { temperature, topP, topK, minP, seed } = toEvaluateOptions(options.sampling, [], []);
  const edges = createThoughtEdges();
  const generatedTokens = () => sequence.tokenMeter.diff(meterBefore).usedOutputTokens;
  const stopTokens = options.stopTokenIds.map(asToken);
  const minimum = {
    forbidden: () => [...reply.endTokens(), ...stopTokens],
    // The meter already counts the token that is about to be chosen.
    isTooShort: () => generatedTokens() <= options.minTokens,
  };
  const tokenBias = createTokenBias(model, options.sampling.logitBias, options.minTokens > 0 ? minimum : undefined);
  try {
    const result = await chat.generateResponse(history, {
      temperature: temperature ?? 0,
      topP: topP ?? 1,
      topK: topK ?? 0,
      minP: minP ?? 0,
      ...(seed !== undefined && { seed }),
      ...(tokenBias && { tokenBias }),
      customStopTriggers: stopTokens.map((token) => [token]),
      repeatPenalty: repeatPenalty(options.sampling),
      maxTokens: options.maxTokens,
      signal,
      onResponseChunk: ({ type, text, tokens }) => {
        emit(type === "segment" ? edges.reasoning(text, tokens.length) : edges.text(text, tokens.length));
      },
      ...(Object.keys(functions).length > 0
        ? {
            functions,
            documentFunctionParams: true,
            ...(!reply.parallelToolCalls && { maxParallelFunctionCalls: 1 }),
            onFunctionCall: ({ functionName, params }) => {
              emit({ type: "toolCall", name: functionName });
              emit({ type: "toolCallArguments", text: JSON.stringify(params ?? {}) });
            },
          }
        : reply.grammar && { grammar: reply.grammar }),
    });
    const { stopReason } = result.metadata;
    // The meter counts the token that ends the turn; usage does not, here as in plain generation.
    const hasEndToken = stopReason === "eogToken" || stopReason === "customStopTrigger";
    const completionTokens = generatedTokens() - (hasEndToken ? 1 : 0);
    return { type: "end", text: "", reason: toEndReason(stopReason), completionTokens };
  } finally {
    chat.dispose({ disposeSequence: false });
  }
}

function toEndReason(stopReason: string): EndReason {
  if (stopReason === "functionCalls") return "toolCalls";
  return stopReason === "maxTokens" ? "length" : "stop";
}

function repeatPenalty(sampling: Sampling): false | LLamaContextualRepeatPenalty {
  const { repetitionPenalty, presencePenalty, frequencyPenalty } = sampling;
  if (repetitionPenalty === 1 && presencePenalty === 0 && frequencyPenalty === 0) return false;
  return {
    penalty: repetitionPenalty,
    presencePenalty,
    frequencyPenalty,
    punishTokensFilter: (tokens: Token[]) => tokens,
  };
}
