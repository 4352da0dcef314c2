import type { CallBody } from "./call.ts";
import { isRecord } from "./reported-usage.ts";

/** About four characters make a token, where nobody counts. */
const CHARACTERS_PER_TOKEN = 4;
/** What a picture takes, about, in models that see. */
const TOKENS_PER_IMAGE = 500;
/** No vocabulary has tokens longer than this, but for runs of the same sign. */
const LONGEST_TOKEN = 32;

export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** About how many tokens a model has to read for a call. */
export function estimatePrompt(body: CallBody): number {
  let images = 0;
  let characters = 0;
  for (const text of textsOf(body, () => (images += 1))) characters += text.length;
  return estimateTokens(characters) + images * TOKENS_PER_IMAGE;
}

/**
 * How many tokens the prompt has at the very least. Tokens do not reach across words, so there is one for each; texts
 * without spaces are taken by the longest token there could be.
 */
export function leastTokens(body: CallBody): number {
  let least = 0;
  for (const text of textsOf(body)) least += Math.max(countWords(text), Math.ceil(text.length / LONGEST_TOKEN));
  return least;
}

/** Prompts of a call: an array of prompts is that many calls, each with a context of its own. */
export function promptsOf({ prompt }: CallBody): number {
  return Array.isArray(prompt) && typeof prompt[0] !== "number" ? Math.max(1, prompt.length) : 1;
}

/** Answers that a call asks for: some for each prompt. They are calls side by side. */
export function answersOf(body: CallBody): number {
  return promptsOf(body) * (typeof body.n === "number" ? Math.max(1, body.n) : 1);
}

/** Every text of a body that the model reads. */
export function* textsOf(body: CallBody, onImage: () => void = () => {}): Generator<string> {
  const { messages, prompt, input } = body;
  if (Array.isArray(messages))
    for (const message of messages) if (isRecord(message)) yield* textsOfMessage(message, onImage);
  for (const given of [prompt, input])
    if (typeof given === "string") yield given;
    else if (Array.isArray(given)) yield* given.filter((text) => typeof text === "string");
}

function* textsOfMessage({ content, tool_calls }: Record<string, unknown>, onImage: () => void): Generator<string> {
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
    const space = text.charCodeAt(index) <= 32;
    if (!space && !inWord) words += 1;
    inWord = !space;
  }
  return words;
}
