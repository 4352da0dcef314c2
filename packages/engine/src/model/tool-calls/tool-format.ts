import type { Tool } from "../engine-model.ts";
import { CALLS_BEGIN, createDeepSeekParser } from "./deepseek.ts";
import { createHarmonyParser } from "./harmony.ts";
import { createLlamaParser } from "./llama.ts";
import { createMistralParser } from "./mistral.ts";
import type { CreateParser } from "./reply-parts.ts";

/** The form in which the models of a family call tools. */
export type ToolFormat = {
  createParser: CreateParser;
  /** What a call consists of besides its name and its arguments, for calls that are required. */
  callForm: { beforeName: string; beforeArguments: string; end: string };
  /** Whether the parser takes thoughts apart, too. */
  parsesThoughts: boolean;
  /** Marks that end a part of a reply, though templates write them at the end of a turn. */
  innerMarks: readonly string[];
  /** Describes tools for the system message, for models whose template does not. */
  describeTools: ((tools: readonly Tool[]) => string) | null;
};

const NO_EXTRAS = { parsesThoughts: false, innerMarks: [], describeTools: null };

const LLAMA: ToolFormat = {
  ...NO_EXTRAS,
  createParser: createLlamaParser,
  callForm: { beforeName: '{"name": "', beforeArguments: '", "parameters": ', end: "}" },
};
const MISTRAL: ToolFormat = {
  ...NO_EXTRAS,
  createParser: createMistralParser,
  callForm: { beforeName: '[TOOL_CALLS][{"name": "', beforeArguments: '", "arguments": ', end: "}]" },
};
const MISTRAL_WITH_NAMES: ToolFormat = {
  ...MISTRAL,
  callForm: { beforeName: "[TOOL_CALLS]", beforeArguments: "[ARGS]", end: "" },
};
const HARMONY: ToolFormat = {
  ...NO_EXTRAS,
  createParser: createHarmonyParser,
  callForm: {
    beforeName: "<|channel|>commentary to=functions.",
    beforeArguments: " <|constrain|>json<|message|>",
    end: "<|call|>",
  },
  parsesThoughts: true,
  innerMarks: ["<|end|>"],
};

/**
 * Returns how models of the template's family write calls; null for templates such as those of Qwen and Hermes, for
 * which node-llama-cpp finds the form by rendering them.
 */
export function findToolFormat(template: string): ToolFormat | null {
  const has = (...texts: readonly string[]) => texts.every((text) => template.includes(text));
  if (has("<|channel|>", "<|message|>")) return HARMONY;
  if (has(CALLS_BEGIN)) return createDeepSeekFormat(has("```json"), /\btools\b/.test(template));
  if (has("[TOOL_CALLS]")) return has("[ARGS]") ? MISTRAL_WITH_NAMES : MISTRAL;
  return has("<|start_header_id|>", '"parameters": ') ? LLAMA : null;
}

/** V3 and R1 name the type of a call and write its arguments as a block of code; V3.1 does neither. */
function createDeepSeekFormat(isTyped: boolean, readsTools: boolean): ToolFormat {
  return {
    ...NO_EXTRAS,
    createParser: createDeepSeekParser,
    callForm: {
      beforeName: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${isTyped ? "function<｜tool▁sep｜>" : ""}`,
      beforeArguments: isTyped ? "\n```json\n" : "<｜tool▁sep｜>",
      end: `${isTyped ? "\n```" : ""}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    },
    describeTools: readsTools ? null : (tools) => describeForDeepSeek(tools, isTyped),
  };
}

/** The description that DeepSeek gives for V3.1, with the form of V3 and R1 where their templates have it. */
function describeForDeepSeek(tools: readonly Tool[], isTyped: boolean): string {
  const described = tools.map(
    ({ name, description, parameters }) =>
      `### ${name}\nDescription: ${description ?? ""}\n\nParameters: ${JSON.stringify(parameters ?? {})}`,
  );
  const call = isTyped
    ? "function<｜tool▁sep｜>tool_call_name\n```json\ntool_call_arguments\n```"
    : "tool_call_name<｜tool▁sep｜>tool_call_arguments";
  return [
    "## Tools\nYou have access to the following tools:",
    ...described,
    "IMPORTANT: ALWAYS adhere to this exact format for tool use:\n" +
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${call}<｜tool▁call▁end｜>{additional_tool_calls}<｜tool▁calls▁end｜>`,
    "Where:\n- `tool_call_name` must be an exact match to one of the available tools\n" +
      "- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema\n" +
      "- For multiple tool calls, chain them directly without separators or spaces",
  ].join("\n\n");
}
