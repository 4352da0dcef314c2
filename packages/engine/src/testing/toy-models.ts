import { writeFileSync } from "node:fs";
import { bigramGguf } from "../../scripts/demo-model/bigram-gguf.ts";
import { byteCharacters, toByteAlphabet } from "../../scripts/demo-model/byte-pairs.ts";
import { encodeGguf } from "../../scripts/demo-model/gguf-writer.ts";

const CONTROL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
/** How a call begins in the form of {@link TOOL_TEMPLATE}. */
export const CALL_OPENING = '<tool_call>\n{"name": "';

/** The template of Qwen and Hermes models: tools as JSON in the system turn, calls as JSON between tags. */
export const TOOL_TEMPLATE = `{%- if tools %}{{- '<|im_start|>system\\n' }}
{%- if messages[0]['role'] == 'system' %}{{- messages[0]['content'] + '\\n\\n' }}{%- endif %}
{{- "# Tools\\n\\n<tools>" }}{%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
{{- "\\n</tools>\\n\\nCall as <tool_call>\\n{\\"name\\": <function-name>, \\"arguments\\": <args-json-object>}\\n</tool_call><|im_end|>\\n" }}
{%- else %}{%- if messages[0]['role'] == 'system' %}{{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}{%- endif %}{%- endif %}
{%- for message in messages %}
{%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
{%- elif message.role == "assistant" %}{{- '<|im_start|>' + message.role }}{%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
{%- for tool_call in message.tool_calls %}{%- if tool_call.function is defined %}{%- set tool_call = tool_call.function %}{%- endif %}
{{- '\\n<tool_call>\\n{"name": "' }}{{- tool_call.name }}{{- '", "arguments": ' }}{{- tool_call.arguments | tojson }}{{- '}\\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\\n' }}
{%- elif message.role == "tool" %}{%- if (loop.index0 == 0) or (messages[loop.index0 - 1].role != "tool") %}{{- '<|im_start|>user' }}{%- endif %}
{{- '\\n<tool_response>\\n' }}{{- message.content }}{{- '\\n</tool_response>' }}{%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}{{- '<|im_end|>\\n' }}{%- endif %}
{%- endif %}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

/** Marks reasoning the way most models do, keeps it in the history, and has Qwen's and gpt-oss's switches for it. */
const THINKING_TEMPLATE = `{%- if reasoning_effort %}{{- '<|im_start|>system\\nReasoning: ' + reasoning_effort + '<|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' }}
{%- if message.reasoning_content %}{{- '<think>' + message.reasoning_content + '</think>' }}{%- endif %}
{{- message.content + '<|im_end|>' + '\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think></think>' }}{%- endif %}{%- endif %}`;

/** Writes a model whose every reply is one call of a tool `lookup` with a `city`, whatever the question. */
export function writeToolModel(path: string): void {
  writeToyModel(path, TOOL_TEMPLATE, [
    ["\n", CALL_OPENING],
    [CALL_OPENING, "lookup"],
    ['"', "Paris"],
  ]);
}

/** Writes a model whose every reply thinks `Let me see.` and answers `It is so.` */
export function writeReasoningModel(path: string): void {
  writeToyModel(path, THINKING_TEMPLATE, [
    ["\n", "<think>"],
    ["<think>", "Let me"],
    ["Let me", " see."],
    [" see.", "</think>"],
    ["</think>", "It is"],
    // In a prompt, every byte is a token.
    [">", "It is"],
    ["It is", " so."],
  ]);
}

/**
 * Writes a model that says `pieces` after a prompt that ends with the character `start`, whatever the question. The
 * template must write `<|im_end|>` after each message. No piece may occur twice. `specialTokens` are control tokens, which
 * are no text.
 */
export function writeSpeakingModel(
  path: string,
  speech: { template: string; start: string; pieces: readonly string[]; specialTokens?: readonly string[] },
): void {
  const { template, start, pieces, specialTokens = [] } = speech;
  const pairs = pieces.map((piece, index): [string, string] => [
    index === 0 ? start : (pieces[index - 1] ?? ""),
    piece,
  ]);
  writeToyModel(path, template, pairs, specialTokens);
}

/** Writes a model that continues the first text of a pair with the second, and ends its turn after any other text. */
function writeToyModel(
  path: string,
  chatTemplate: string,
  pairs: readonly (readonly [string, string])[],
  specialTokens: readonly string[] = [],
): void {
  const controlTokens = [...CONTROL_TOKENS, ...specialTokens];
  const bytes = byteCharacters();
  const texts = pairs.flat().filter((text) => !controlTokens.includes(text));
  const words = [...new Set(texts.map(toByteAlphabet))].filter((word) => !bytes.includes(word));
  const vocabulary = [...controlTokens, ...bytes, ...words];
  const id = (text: string) => vocabulary.indexOf(controlTokens.includes(text) ? text : toByteAlphabet(text));
  const states = vocabulary.map(() => 0);
  const successors = [[{ token: id("<|im_end|>"), logit: 60 }]];
  for (const [text, next] of pairs) {
    states[id(text)] = successors.length;
    successors.push([{ token: id(next), logit: 60 }]);
  }
  const baseline = Array.from('":}{', (text, index) => ({ token: id(text), logit: 40 - 8 * index }));
  const file = bigramGguf({
    name: "Test model",
    description: "Says the same thing always.",
    chatTemplate,
    contextLength: 2048,
    vocabulary,
    controlTokens,
    beginToken: "<|endoftext|>",
    endToken: "<|im_end|>",
    merges: [],
    table: { states, successors, baseline },
  });
  writeFileSync(path, encodeGguf(file));
}
