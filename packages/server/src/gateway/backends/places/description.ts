import { isRecord } from "../../usage/reported-usage.ts";

/** A longer description is cut, since lists show it below the name. */
const MAX_CHARACTERS = 200;

/**
 * Returns what a list says of a model in words: the first sentence of the fields of OpenRouter, Gemini and DeepInfra, at most
 * 200 characters. Null without one.
 */
export function readDescription({ description, metadata }: Record<string, unknown>): string | null {
  const given = typeof description === "string" ? description : isRecord(metadata) ? metadata.description : null;
  if (typeof given !== "string") return null;
  // PostgreSQL stores no NUL, and the text is shown in one line.
  const text = given
    .slice(0, 10 * MAX_CHARACTERS)
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const sentence = /^.*?[.!?](?= [\p{Lu}\d]|$)/u.exec(text)?.[0] ?? text;
  if (sentence === "") return null;
  return sentence.length <= MAX_CHARACTERS ? sentence : `${sentence.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;
}
