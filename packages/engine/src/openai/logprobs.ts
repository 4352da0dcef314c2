import type { TokenLogprob } from "../model/engine-model.ts";

type Entry = { token: string; logprob: number; bytes: number[] | null };

/** Log probabilities in a chat completion. */
export type ChatLogprobs = { content: (Entry & { top_logprobs: Entry[] })[]; refusal: null };

/** Log probabilities in a text completion. */
export type CompletionLogprobs = {
  tokens: string[];
  token_logprobs: number[];
  top_logprobs: Record<string, number>[];
  text_offset: number[];
};

/** Maps log probabilities to the form of chat completions. */
export function toChatLogprobs(logprobs: readonly TokenLogprob[]): ChatLogprobs {
  return {
    content: logprobs.map((token) => ({ ...toEntry(token), top_logprobs: token.top.map(toEntry) })),
    refusal: null,
  };
}

/** Maps log probabilities to the form of text completions. `offset` is where the first token begins, in characters. */
export function toCompletionLogprobs(logprobs: readonly TokenLogprob[], offset: number): CompletionLogprobs {
  let offsetSoFar = offset;
  const text_offset = logprobs.map(({ text }) => {
    offsetSoFar += text.length;
    return offsetSoFar - text.length;
  });
  return {
    tokens: logprobs.map(({ text }) => text),
    token_logprobs: logprobs.map(({ logprob }) => logprob),
    top_logprobs: logprobs.map(({ top }) => Object.fromEntries(top.map(({ text, logprob }) => [text, logprob]))),
    text_offset,
  };
}

function toEntry({ text, logprob }: { text: string; logprob: number }): Entry {
  // A token that is part of a character has no text, and its bytes are not known here.
  const isPartial = text.includes("\uFFFD");
  return { token: text, logprob, bytes: isPartial ? null : [...Buffer.from(text, "utf8")] };
}
