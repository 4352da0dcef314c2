import { type LlamaModel, type SequenceEvaluateOptions, type Token, TokenBias } from "node-llama-cpp";
import type { Sampling } from "../engine-model.ts";
import { asToken } from "./tokens.ts";

/** A longer list would slow down every token and hardly change the text. */
const MAX_PUNISHED_TOKENS = 1024;

/**
 * Returns the evaluation options for one generation. `generated` is read at every step, for the penalties.
 *
 * llama.cpp has one token list for all three penalties. Presence and frequency penalties are meant for the reply
 * alone, the repetition penalty for prompt and reply; when it is on, its list serves for all three.
 */
export function toEvaluateOptions(
  sampling: Sampling,
  prompt: readonly Token[],
  generated: readonly Token[],
): SequenceEvaluateOptions {
  const hasRepetitionPenalty = sampling.repetitionPenalty !== 1;
  const hasPenalty = hasRepetitionPenalty || sampling.presencePenalty !== 0 || sampling.frequencyPenalty !== 0;
  const punishTokens = () => [...(hasRepetitionPenalty ? prompt : []), ...generated].slice(-MAX_PUNISHED_TOKENS);
  return {
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    minP: sampling.minP,
    seed: sampling.seed,
    ...(hasPenalty && {
      repeatPenalty: {
        punishTokens,
        maxPunishTokens: MAX_PUNISHED_TOKENS,
        penalty: sampling.repetitionPenalty,
        presencePenalty: sampling.presencePenalty,
        frequencyPenalty: sampling.frequencyPenalty,
      },
    }),
  };
}

/** The tokens that may not come while a reply is too short; `isTooShort` is read at every step. */
export type MinimumLength = { forbidden: () => Iterable<Token>; isTooShort: () => boolean };

/**
 * Returns the bias that is added to the logits of tokens; undefined if there is none. With a minimum length it is
 * computed anew for each token.
 */
export function createTokenBias(
  model: LlamaModel,
  logitBias: ReadonlyMap<number, number>,
  minimum: MinimumLength | undefined,
): TokenBias | (() => TokenBias) | undefined {
  const requested = toTokenBias(model, logitBias);
  if (!minimum) return logitBias.size > 0 ? requested : undefined;
  const forbidden = [...minimum.forbidden()].map((token): [number, number] => [token, Number.NEGATIVE_INFINITY]);
  const endless = toTokenBias(model, new Map([...logitBias, ...forbidden]));
  return () => (minimum.isTooShort() ? endless : requested);
}

function toTokenBias(model: LlamaModel, logitBias: ReadonlyMap<number, number>): TokenBias {
  const bias = TokenBias.for(model);
  // `TokenBias.set` leaves out the tokens that end a turn, so the map behind it is filled, which its types don't name.
  const { _biases: biases } = bias as unknown as { _biases: Map<Token, number> };
  for (const [token, logit] of logitBias) biases.set(asToken(token), logit);
  return bias;
}
