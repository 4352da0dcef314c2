import { writeFileSync } from "node:fs";
import { bigramGguf } from "../../scripts/demo-model/bigram-gguf.ts";
import { byteCharacters, toByteAlphabet } from "../../scripts/demo-model/byte-pairs.ts";
import { encodeGguf } from "../../scripts/demo-model/gguf-writer.ts";

const CONTROL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
const CALL_OPENING = '<tool_call>\n{"name": "';

/** The form that Qwen and Hermes models use: tools as JSON in the system turn, calls as JSON between tags. */
const CHAT_TEMPLATE = `{%- if tools %}{{- '<|im_start|>system\\n' }}
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

/** Writes a model whose every reply is one call of a tool `lookup` with a `city`, whatever the question. */
export function writeToolModel(path: string): void {
  const words = [CALL_OPENING, "lookup", "Paris"].map(toByteAlphabet);
  const vocabulary = [...CONTROL_TOKENS, ...byteCharacters(), ...words];
  const id = (text: string) => vocabulary.indexOf(CONTROL_TOKENS.includes(text) ? text : toByteAlphabet(text));
  const states = vocabulary.map(() => 0);
  const next = [[{ token: id("<|im_end|>"), logit: 60 }]];
  for (const [text, successor] of [
    ["\n", CALL_OPENING],
    [CALL_OPENING, "lookup"],
    ['"', "Paris"],
  ] as const) {
    states[id(text)] = next.length;
    next.push([{ token: id(successor), logit: 60 }]);
  }
  const baseline = Array.from('":}{', (text, index) => ({ token: id(text), logit: 40 - 8 * index }));
  const file = bigramGguf({
    name: "Tool test model",
    description: "Always calls a tool.",
    chatTemplate: CHAT_TEMPLATE,
    contextLength: 2048,
    vocabulary,
    controlTokens: CONTROL_TOKENS,
    beginToken: "<|endoftext|>",
    endToken: "<|im_end|>",
    merges: [],
    table: { states, successors: next, baseline },
  });
  writeFileSync(path, encodeGguf(file));
}
