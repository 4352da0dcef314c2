import type { LlamaModel, Token } from "node-llama-cpp";

/** Returns a function that lists the tokens with which a model can end its turn; the vocabulary is searched once. */
export function createEndTokens(model: Pick<LlamaModel, "iterateAllTokens" | "isEogToken">): () => readonly Token[] {
  let endTokens: readonly Token[] | undefined;
  return () => {
    endTokens ??= [...model.iterateAllTokens()].filter((token) => model.isEogToken(token));
    return endTokens;
  };
}
