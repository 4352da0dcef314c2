import type { LlamaModel, Token } from "node-llama-cpp";

/** What a vocabulary says about its tokens. */
export type Vocabulary = {
  /** The tokens with which a model can end its turn. */
  endTokens(): readonly Token[];
  /** Whether there is a token with this id. */
  has(id: number): boolean;
};

/** Reads the vocabulary of a model; it is searched once, when first needed. */
export function createVocabulary(model: Pick<LlamaModel, "iterateAllTokens" | "isEogToken">): Vocabulary {
  let found: { size: number; endTokens: readonly Token[] } | undefined;
  const search = () => {
    const tokens = [...model.iterateAllTokens()];
    found = { size: tokens.length, endTokens: tokens.filter((token) => model.isEogToken(token)) };
    return found;
  };
  return {
    endTokens: () => (found ?? search()).endTokens,
    has: (id) => id < (found ?? search()).size,
  };
}
