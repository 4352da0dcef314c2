import type { LlamaModel, Token } from "node-llama-cpp";

/** Turns tokens into text piece by piece, never splitting a character that several tokens make up. */
export type TokenText = {
  /** Returns the text that is complete by now, possibly none. */
  push(token: Token): string;
  /** Returns the remaining text, with U+FFFD for a character that was never completed. */
  flush(): string;
};

const REPLACEMENT = "\uFFFD";
/** A UTF-8 character has at most 4 bytes, so more tokens than that can't be waiting for one. */
const MAX_TOKENS_PER_CHARACTER = 4;
/** How far back the detokenizer looks to decide on a leading space. */
const LOOK_BACK_TOKENS = 4;

/** Creates a decoder for tokens that follow `promptEnd`. */
export function createTokenText(detokenize: LlamaModel["detokenize"], promptEnd: readonly Token[]): TokenText {
  let contextTokens = promptEnd.slice(-LOOK_BACK_TOKENS);
  let pending: Token[] = [];
  const releaseText = (text: string) => {
    contextTokens = [...contextTokens, ...pending].slice(-LOOK_BACK_TOKENS);
    pending = [];
    return text;
  };
  return {
    push(token) {
      pending.push(token);
      const text = detokenize(pending, false, contextTokens);
      const isIncomplete = text.endsWith(REPLACEMENT) && pending.length < MAX_TOKENS_PER_CHARACTER;
      return isIncomplete ? "" : releaseText(text);
    },
    flush() {
      return pending.length === 0 ? "" : releaseText(detokenize(pending, false, contextTokens));
    },
  };
}
