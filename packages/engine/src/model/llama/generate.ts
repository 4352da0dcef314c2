import type { LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from "node-llama-cpp";
import { LlamaGrammarEvaluationState } from "node-llama-cpp";
import type { GenerationEvent, GenerationOptions, TokenLogprob } from "../engine-model.ts";
import { createTokenBias, toEvaluateOptions } from "./sampling.ts";
import { createTokenText } from "./token-text.ts";
import { asToken } from "./tokens.ts";

/** Tokens of a prompt that are evaluated at once. Between chunks, aborted requests end and other sequences run. */
const PROMPT_CHUNK_TOKENS = 256;

/** A generation on a sequence, with its prompt as tokens. */
export type TokenGeneration = {
  model: LlamaModel;
  sequence: LlamaContextSequence;
  prompt: readonly Token[];
  /** Tokens that end the turn like the model's own end tokens. */
  stopTokens: ReadonlySet<Token>;
  /** Lists the model's own end tokens. */
  endTokens: () => readonly Token[];
  grammar: LlamaGrammar | undefined;
  /** Whether special tokens are part of the text, because it is taken apart by them. */
  showsSpecialTokens?: boolean;
  options: GenerationOptions;
  signal: AbortSignal;
};

/** Evaluates the prompt and yields an event per token. Rejects with the signal's reason once it aborts. */
export async function* generateTokens(generation: TokenGeneration): AsyncGenerator<GenerationEvent, void, void> {
  const { model, prompt, options, signal, showsSpecialTokens = false } = generation;
  const stopTokens = new Set([...generation.stopTokens, ...options.stopTokenIds.map(asToken)]);
  const generated: Token[] = [];
  const detokenize: LlamaModel["detokenize"] = (tokens, _showsSpecial, lastTokens) =>
    model.detokenize(tokens, showsSpecialTokens, lastTokens);
  const tokenText = createTokenText(detokenize, prompt);
  await evaluateAllButLast(generation);
  for await (const { token, probabilities } of nextTokens({ ...generation, stopTokens }, generated)) {
    signal.throwIfAborted();
    if (stopTokens.has(token)) break;
    generated.push(token);
    const logprobs = probabilities ? [logprob(model, token, probabilities, options.topLogprobs ?? 0)] : [];
    yield { type: "text", text: tokenText.push(token), tokenCount: 1, logprobs };
    if (generated.length >= options.maxTokens) {
      yield { type: "end", text: tokenText.flush(), reason: "length", completionTokens: generated.length };
      return;
    }
  }
  yield { type: "end", text: tokenText.flush(), reason: "stop", completionTokens: generated.length };
}

/** Evaluates the prompt except its last token, and reuses what the sequence has cached of the same prefix. */
async function evaluateAllButLast({ sequence, prompt, signal }: TokenGeneration): Promise<void> {
  const tokens = prompt.slice(0, -1);
  await sequence.adaptStateToTokens(tokens, false);
  for (let at = sequence.nextTokenIndex; at < tokens.length; at += PROMPT_CHUNK_TOKENS) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + PROMPT_CHUNK_TOKENS));
  }
  signal.throwIfAborted();
}

type NextToken = { token: Token; probabilities?: Map<Token, number> };

function nextTokens(generation: TokenGeneration, generated: readonly Token[]): AsyncIterable<NextToken> {
  const { model, sequence, prompt, grammar, options, stopTokens, endTokens } = generation;
  const minimum = {
    forbidden: () => [...endTokens(), ...stopTokens],
    isTooShort: () => generated.length < options.minTokens,
  };
  const tokenBias = createTokenBias(model, options.sampling.logitBias, options.minTokens > 0 ? minimum : undefined);
  const evaluateOptions = {
    ...toEvaluateOptions(options.sampling, prompt, generated),
    ...(tokenBias && { tokenBias }),
    ...(grammar && { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) }),
  };
  const last = prompt.slice(-1);
  if (options.topLogprobs === undefined) return sequence.evaluateWithMetadata(last, {}, evaluateOptions);
  return sequence.evaluateWithMetadata(last, { probabilities: true }, evaluateOptions);
}

/** `probabilities` is sorted, most likely first. */
function logprob(model: LlamaModel, token: Token, probabilities: Map<Token, number>, topCount: number): TokenLogprob {
  const describe = (id: Token, probability: number) => ({
    text: model.detokenize([id], true),
    logprob: Math.log(Math.max(probability, Number.MIN_VALUE)),
  });
  return {
    ...describe(token, probabilities.get(token) ?? 0),
    top: firstEntries(probabilities, topCount).map(([id, probability]) => describe(id, probability)),
  };
}

/** The map has an entry per token of the vocabulary, so it is not copied for the sake of a few. */
function firstEntries<Key, Value>(map: Map<Key, Value>, count: number): [Key, Value][] {
  const entries: [Key, Value][] = [];
  for (const entry of map) {
    if (entries.length >= count) break;
    entries.push(entry);
  }
  return entries;
}
