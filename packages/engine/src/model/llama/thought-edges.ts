import type { GenerationEvent } from "../engine-model.ts";

/** Removes the white space around a thought, and before the text that follows it. */
export type ThoughtEdges = {
  reasoning(text: string, tokenCount: number): GenerationEvent;
  text(text: string, tokenCount: number): GenerationEvent;
};

/** Creates a filter for one reply. White space at the end of a piece of a thought is held back until more comes. */
export function createThoughtEdges(): ThoughtEdges {
  let heldSpace = "";
  let hasThought = false;
  let hasText = false;
  return {
    reasoning(piece, tokenCount) {
      const whole = hasThought ? heldSpace + piece : piece.trimStart();
      const text = whole.trimEnd();
      heldSpace = whole.slice(text.length);
      hasThought ||= text !== "";
      return { type: "reasoning", text, tokenCount };
    },
    text(piece, tokenCount) {
      const text = hasThought && !hasText ? piece.trimStart() : piece;
      hasText ||= text !== "";
      return { type: "text", text, tokenCount, logprobs: [] };
    },
  };
}
