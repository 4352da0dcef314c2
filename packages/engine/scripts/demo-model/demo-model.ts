import { bigramGguf } from "./bigram-gguf.ts";
import type { BigramTable, Score } from "./bigram-tensors.ts";
import { byteCharacters, learnMerges, toByteAlphabet } from "./byte-pairs.ts";
import type { GgufFile } from "./gguf-writer.ts";
import { COMMON_WORDS, JSON_OPENING, STEPS } from "./sentences.ts";
import { buildWordChain, END, type WordChain } from "./word-chain.ts";

/** Context length of the demonstration model, in tokens. */
export const CONTEXT_LENGTH = 2048;

const MERGE_COUNT = 600;
const END_OF_TEXT = "<|endoftext|>";
const TURN_START = "<|im_start|>";
const TURN_END = "<|im_end|>";
const CONTROL_TOKENS = [END_OF_TEXT, TURN_START, TURN_END];
const CHAT_TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Logits of a step's variants, most likely first: about 50, 30 and 20 percent at temperature 1. */
const VARIANT_LOGITS = [80, 79.5, 79.1];
/**
 * The order of tokens where a grammar forbids the next word of the table: closing characters first, then those that
 * continue a value, and digits last. The steps between the logits are wide enough that sampling keeps the order. All
 * are far below the logits of words, so that they never appear in free text.
 */
const JSON_LOGITS: readonly (readonly [text: string, logit: number])[] = [
  [JSON_OPENING, 46],
  ['"', 40],
  ["}", 32],
  ["]", 32],
  [":", 32],
  [TURN_END, 30],
  [",", 26],
  // The first letter of null, before anything that nests: recursive schemas come to an end.
  ["n", 23],
  ["{", 20],
  ["[", 20],
  ...Array.from("1234567890", (digit, index) => [digit, 14 - index / 2] as const),
];

/** The demonstration model: vocabulary, chat template and weights, the same bytes every time. */
export function buildDemoModel(): GgufFile {
  const { merges } = learnMerges([COMMON_WORDS.replaceAll("\n", " "), ...STEPS.flat()].join(" "), MERGE_COUNT);
  const ordinaryTokens = [...byteCharacters(), ...merges.map(([left, right]) => left + right)];
  const chain = buildWordChain(STEPS, new Set(ordinaryTokens.map(fromByteAlphabetIfAscii)));
  const words = [JSON_OPENING, ...chain.links.map((link) => link.text)].map(toByteAlphabet);
  const vocabulary = [...CONTROL_TOKENS, ...ordinaryTokens, ...words];
  return bigramGguf({
    name: "Feather demonstration model",
    description: "A hand-built table of word pairs. It cannot answer questions.",
    chatTemplate: CHAT_TEMPLATE,
    contextLength: CONTEXT_LENGTH,
    vocabulary,
    controlTokens: CONTROL_TOKENS,
    beginToken: END_OF_TEXT,
    endToken: TURN_END,
    merges,
    table: buildTable(vocabulary, chain),
  });
}

/** Sentences are ASCII, so only ASCII tokens can clash with their pieces; the others may stay as they are. */
function fromByteAlphabetIfAscii(token: string): string {
  return token.replaceAll(toByteAlphabet(" "), " ");
}

function buildTable(vocabulary: readonly string[], chain: WordChain): BigramTable {
  const ids = new Map(vocabulary.map((token, id) => [token, id]));
  const idOf = (text: string): number => {
    const id = ids.get(CONTROL_TOKENS.includes(text) ? text : toByteAlphabet(text));
    if (id === undefined) throw new Error(`"${text}" is not a token of the demonstration model.`);
    return id;
  };
  const variants = (texts: readonly string[]): Score[] =>
    texts.map((text, index) => ({
      token: idOf(text === END ? TURN_END : text),
      logit: VARIANT_LOGITS[index] ?? 0,
    }));

  // State 0 belongs to every token that is not listed here: whatever ends the prompt, a new text begins.
  const successors: Score[][] = [variants(chain.textStarts)];
  const states = vocabulary.map(() => 0);
  const addState = (text: string, next: readonly string[]) => {
    states[idOf(text)] = successors.length;
    successors.push(variants(next));
  };
  for (const text of ["\n", " ", '"', JSON_OPENING]) addState(text, chain.lineStarts);
  addState("}", [END]);
  addState("]", [END]);
  for (const { text, next } of chain.links) addState(text, next);
  return { states, successors, baseline: JSON_LOGITS.map(([text, logit]) => ({ token: idOf(text), logit })) };
}
