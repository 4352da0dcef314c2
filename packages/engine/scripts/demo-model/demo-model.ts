import { type BigramTable, bigramTensors, type Score } from "./bigram-tensors.ts";
import { byteCharacters, learnMerges, toByteAlphabet } from "./byte-pairs.ts";
import type { GgufFile, GgufValue } from "./gguf-writer.ts";
import { COMMON_WORDS, JSON_OPENING, STEPS } from "./sentences.ts";
import { buildWordChain, END, type WordChain } from "./word-chain.ts";

export const CONTEXT_LENGTH = 2048;

const MERGE_COUNT = 600;
const END_OF_TEXT = "<|endoftext|>";
const TURN_START = "<|im_start|>";
const TURN_END = "<|im_end|>";
const CONTROL_TOKENS = [END_OF_TEXT, TURN_START, TURN_END];
const TOKEN_TYPE = { normal: 1, control: 3 };
const CHAT_TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Logits of a step's variants, most likely first: about 50, 30 and 20 percent at temperature 1. */
const VARIANT_LOGITS = [60, 59.5, 59.1];
/**
 * Where a grammar forbids the table's next word, these come next: punctuation that closes what is open before
 * punctuation that goes on, and digits last. Far below the words, so that free text never shows them.
 */
const JSON_LOGITS: readonly (readonly [text: string, logit: number])[] = [
  [JSON_OPENING, 34],
  ['"', 30],
  ["}", 29],
  ["]", 28],
  [":", 27],
  [",", 26],
  [TURN_END, 25],
  ["{", 20],
  ["[", 19],
  ...Array.from("1234567890", (digit, index) => [digit, 16 - index / 2] as const),
];

/** The demonstration model: vocabulary, chat template and weights, the same bytes every time. */
export function buildDemoModel(): GgufFile {
  const { merges } = learnMerges([COMMON_WORDS.replaceAll("\n", " "), ...STEPS.flat()].join(" "), MERGE_COUNT);
  const ordinaryTokens = [...byteCharacters(), ...merges.map(([left, right]) => left + right)];
  const chain = buildWordChain(STEPS, new Set(ordinaryTokens.map(fromByteAlphabetIfAscii)));
  const words = [JSON_OPENING, ...chain.links.map((link) => link.text)].map(toByteAlphabet);
  const vocabulary = [...CONTROL_TOKENS, ...ordinaryTokens, ...words];
  const { shape, tensors } = bigramTensors(buildTable(vocabulary, chain));
  return {
    tensors,
    metadata: new Map<string, GgufValue>([
      ["general.architecture", { type: "string", value: "llama" }],
      ["general.name", { type: "string", value: "Feather demonstration model" }],
      ["general.description", { type: "string", value: "A hand-built table of word pairs. It cannot answer questions." }],
      ["general.license", { type: "string", value: "apache-2.0" }],
      ["llama.block_count", { type: "uint32", value: 1 }],
      ["llama.context_length", { type: "uint32", value: CONTEXT_LENGTH }],
      ["llama.embedding_length", { type: "uint32", value: shape.width }],
      ["llama.feed_forward_length", { type: "uint32", value: shape.feedForward }],
      ["llama.attention.head_count", { type: "uint32", value: shape.heads }],
      ["llama.attention.layer_norm_rms_epsilon", { type: "float32", value: 1e-6 }],
      ["llama.rope.dimension_count", { type: "uint32", value: shape.width / shape.heads }],
      ["tokenizer.ggml.model", { type: "string", value: "gpt2" }],
      ["tokenizer.ggml.pre", { type: "string", value: "gpt-2" }],
      ["tokenizer.ggml.tokens", { type: "strings", value: vocabulary }],
      ["tokenizer.ggml.token_type", { type: "int32s", value: vocabulary.map(tokenType) }],
      ["tokenizer.ggml.merges", { type: "strings", value: merges.map((pair) => pair.join(" ")) }],
      ["tokenizer.ggml.bos_token_id", { type: "uint32", value: vocabulary.indexOf(END_OF_TEXT) }],
      ["tokenizer.ggml.eos_token_id", { type: "uint32", value: vocabulary.indexOf(TURN_END) }],
      ["tokenizer.ggml.add_bos_token", { type: "bool", value: false }],
      ["tokenizer.chat_template", { type: "string", value: CHAT_TEMPLATE }],
    ]),
  };
}

function tokenType(token: string): number {
  return CONTROL_TOKENS.includes(token) ? TOKEN_TYPE.control : TOKEN_TYPE.normal;
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
