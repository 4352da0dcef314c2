import type { ProbeAnswer, ProbeBody } from "../../gateway/index.ts";
import { findUnclear, toNo, type Verdict, YES } from "./verdict.ts";

/** The number that stands in the middle of a long prompt. */
const NUMBER = "48213";
const NEEDLE = `Remember: the number of the lighthouse is ${NUMBER}.`;
const QUESTION = "What is the number of the lighthouse? Answer with the number only.";
/** The share of the tokens before the needle. */
const POSITION = 0.5;

/** The characters of a token of such prompts, as long as no backend has counted them. */
export const ASSUMED_CHARACTERS_PER_TOKEN = 3.5;

/** Returns a call with a prompt of about this many characters, in the middle of which stands what is asked for. */
export function toNeedleBody(characters: number, maxAnswerTokens: number): ProbeBody {
  const lines: string[] = [];
  let length = NEEDLE.length + QUESTION.length;
  let hasNeedle = false;
  for (let number = 1; length < characters || !hasNeedle; number++) {
    const line = `Page ${number} of the diary: the harbour was quiet, the wind came from the west, and nobody wrote more.`;
    if (!hasNeedle && length >= characters * POSITION) {
      lines.push(NEEDLE);
      hasNeedle = true;
    }
    lines.push(line);
    length += line.length + 1;
  }
  const content = `${lines.join("\n")}\n\n${QUESTION}`;
  return { messages: [{ role: "user", content }], max_tokens: maxAnswerTokens, temperature: 0 };
}

/** Returns the number of characters of such a call's prompt. */
export function countCharacters({ messages }: ProbeBody): number {
  return JSON.stringify(messages).length;
}

/** Judges the answer to a prompt of this many tokens. */
export function judgeNeedle(answer: ProbeAnswer, tokens: number): Verdict {
  if (answer.text.includes(NUMBER)) return YES;
  return findUnclear(answer) ?? toNo(`It did not find a number in the middle of a prompt of ${tokens} tokens.`);
}
