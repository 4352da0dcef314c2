import { isRecord } from "../usage/reported-usage.ts";
import type { CallBody } from "./parsed-request.ts";

/** An average, which is used if no backend counts tokens. */
const CHARACTERS_PER_TOKEN = 4;
/** A typical number for vision models. */
const TOKENS_PER_IMAGE = 500;
/** The length of the longest tokens in characters. Only repetitions of one character make longer ones. */
const MAX_TOKEN_CHARACTERS = 32;

/** Estimates the number of tokens of a text from its number of characters. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Estimates the prompt tokens of a call. */
export function estimatePromptTokens(body: CallBody): number {
  let images = 0;
  let characters = 0;
  for (const text of iterateTexts(body, () => (images += 1))) characters += text.length;
  return estimateTokens(characters) + images * TOKENS_PER_IMAGE;
}

/**
 * Returns a lower bound for the prompt tokens of a call. A token covers at most one word, so there is at least one per
 * word; texts without spaces are divided by the longest possible token.
 */
export function estimateMinTokens(body: CallBody): number {
  let minTokens = 0;
  for (const text of iterateTexts(body))
    minTokens += Math.max(countWords(text), Math.ceil(text.length / MAX_TOKEN_CHARACTERS));
  return minTokens;
}

/**
 * Returns the number of prompts in a text completion, or of the texts in a call for vectors or scores: the number of
 * texts or token arrays in an array. 1 for anything else.
 */
export function countPrompts({ prompt, input, documents }: CallBody): number {
  return Math.max(countItems(prompt), countItems(input), countItems(documents));
}

function countItems(given: unknown): number {
  return Array.isArray(given) && typeof given[0] !== "number" ? Math.max(1, given.length) : 1;
}

/** Returns the number of answers that a call generates: `n` for each prompt. */
export function countAnswers(body: CallBody): number {
  return countPrompts(body) * (typeof body.n === "number" ? Math.max(1, body.n) : 1);
}

/** Yields every text of a body that the model reads, and calls `onImage` for each image. */
export function* iterateTexts(body: CallBody, onImage: () => void = () => {}): Generator<string> {
  const { messages, prompt, input, query, documents } = body;
  if (Array.isArray(messages))
    for (const message of messages) if (isRecord(message)) yield* iterateMessageTexts(message, onImage);
  for (const given of [prompt, input, query, documents])
    if (typeof given === "string") yield given;
    else if (Array.isArray(given)) yield* given.filter((text) => typeof text === "string");
}

function* iterateMessageTexts(
  { content, tool_calls }: Record<string, unknown>,
  onImage: () => void,
): Generator<string> {
  if (typeof content === "string") yield content;
  if (Array.isArray(content))
    for (const part of content) {
      if (!isRecord(part)) continue;
      if (typeof part.text === "string") yield part.text;
      else if (part.type === "image_url") onImage();
    }
  if (Array.isArray(tool_calls)) yield JSON.stringify(tool_calls);
}

function countWords(text: string): number {
  let words = 0;
  let inWord = false;
  for (let index = 0; index < text.length; index++) {
    const isSpace = text.charCodeAt(index) <= 32;
    if (!isSpace && !inWord) words += 1;
    inWord = !isSpace;
  }
  return words;
}
