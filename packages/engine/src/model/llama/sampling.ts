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
  model: LlamaModel,
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
    ...(sampling.logitBias.size > 0 && { tokenBias: tokenBias(sampling.logitBias, model) }),
  };
}

function tokenBias(logitBias: ReadonlyMap<number, number>, model: LlamaModel): TokenBias {
  const bias = TokenBias.for(model);
  for (const [token, logit] of logitBias) bias.set(asToken(token), { logit });
  return bias;
}
