import {
  type ChatHistoryItem,
  type ChatModelFunctions,
  type ChatWrapper,
  type ChatWrapperGenerateContextStateOptions,
  type ChatWrapperGeneratedContextState,
  type ChatWrapperSettings,
  JinjaTemplateChatWrapper,
  type LlamaModel,
  LlamaText,
  SpecialTokensText,
} from "node-llama-cpp";
import type { TemplateValues } from "../engine-model.ts";
import type { ToolFormat } from "../tool-calls/tool-format.ts";
import { createRenderer, type PromptRenderer, type RenderLimit } from "./template-renderer.ts";
import { withToolFormat } from "./tool-wrapper.ts";

/** What marks the beginning and the end of a thought. */
type ThoughtMarks = readonly [opening: string, closing: string];

/** The marks of templates that open a thought themselves and so don't let node-llama-cpp find how it begins. */
const KNOWN_MARKS: readonly ThoughtMarks[] = [
  ["<think>", "</think>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
];

/** Variables that templates find in transformers even when a conversation has none of them. */
const MISSING_VARIABLES = { tools: null, documents: null };

/** What a wrapper of a template is made of. */
export type TemplateWrapperOptions = {
  template: string;
  values: TemplateValues;
  /** The form of tool calls; null for the one that node-llama-cpp finds in the template. */
  toolFormat: ToolFormat | null;
  limit: RenderLimit;
};

/**
 * Returns a wrapper that renders with the model's own template, and throws if it can't be rendered. The template gets
 * tools with the schemas of the request, and numbers as they were written there. The model's turn begins with what the template writes for a new turn, which may open a thought or, where thinking is switched off, an
 * empty one. Thoughts are found by their marks, with any line breaks around them or none.
 */
export function createTemplateWrapper(
  model: Pick<LlamaModel, "tokenizer">,
  { template, values, toolFormat, limit }: TemplateWrapperOptions,
): ChatWrapper {
  const beginPrompt = createRenderer(template, limit);
  const create = (additionalRenderParameters: Record<string, unknown>): ChatWrapper => {
    const wrapper = new JinjaTemplateChatWrapper({
      template,
      tokenizer: model.tokenizer,
      reasoning: values.enable_thinking !== false && values.thinking !== false,
      // It would join turns of the same role in a copy of the history, in which raw numbers are lost.
      joinAdjacentMessagesOfTheSameType: false,
      additionalRenderParameters,
    });
    return toolFormat ? withToolFormat(wrapper, toolFormat) : wrapper;
  };
  const wrapper = create({ ...MISSING_VARIABLES, ...values });
  const newTurn = create({ ...MISSING_VARIABLES, ...values, add_generation_prompt: true });
  const marks = findMarks(wrapper.settings, template);
  return Object.create(wrapper, {
    settings: { value: marks ? withMarks(wrapper.settings, marks) : wrapper.settings },
    generateContextState: {
      value: (options: ChatWrapperGenerateContextStateOptions) => {
        const renderer = withRequestedTools(beginPrompt(), options.availableFunctions ?? {});
        const joined = { ...options, chatHistory: joinTurns(options.chatHistory) };
        return renderContext(withRenderer(wrapper, renderer), withRenderer(newTurn, renderer), marks, joined);
      },
    },
  });
}

/** The renderer is a field of node-llama-cpp's wrapper for templates, which its types don't name. */
function withRenderer(wrapper: ChatWrapper, renderer: PromptRenderer): ChatWrapper {
  return Object.create(wrapper, { _jinjaTemplate: { value: renderer } });
}

/** Describes tools as the request does. What node-llama-cpp describes is the schema of a grammar, without its texts. */
function withRequestedTools(renderer: PromptRenderer, functions: ChatModelFunctions): PromptRenderer {
  const tools = Object.entries(functions).map(([name, { description, ...others }]) => {
    const parameters = "parameters" in others ? others.parameters : others.params;
    return {
      type: "function",
      function: {
        name,
        ...(description !== undefined && { description }),
        ...(parameters !== undefined && { parameters }),
      },
    };
  });
  return { render: (variables) => renderer.render(variables.tools ? { ...variables, tools } : variables) };
}

/** Joins turns of the same role, which many templates refuse. */
function joinTurns(history: readonly ChatHistoryItem[]): ChatHistoryItem[] {
  const joined: ChatHistoryItem[] = [];
  for (const item of history) {
    const last = joined.at(-1);
    if (last?.type === "user" && item.type === "user") {
      joined[joined.length - 1] = { ...last, text: `${last.text}\n\n${item.text}` };
    } else if (last?.type === "system" && item.type === "system") {
      const texts = [last, item].map(({ text }) => LlamaText.fromJSON(text));
      joined[joined.length - 1] = { ...last, text: LlamaText.joinValues("\n\n", texts).toJSON() };
    } else joined.push(item);
  }
  return joined;
}

function renderContext(
  wrapper: ChatWrapper,
  newTurn: ChatWrapper,
  marks: ThoughtMarks | undefined,
  options: ChatWrapperGenerateContextStateOptions,
): ChatWrapperGeneratedContextState {
  const state = wrapper.generateContextState(options);
  const last = options.chatHistory.at(-1);
  if (last?.type !== "model" || last.response.length > 0) return state;
  const { contextText } = newTurn.generateContextState({ ...options, chatHistory: options.chatHistory.slice(0, -1) });
  if (!marks || !endsWithinThought(contextText.toString(), marks)) return { ...state, contextText };
  const { stopGenerationTriggers } = state;
  const noPrefixTrigger = { type: "segment" as const, segmentType: "thought" as const, inject: LlamaText([]) };
  return { contextText, stopGenerationTriggers, noPrefixTrigger };
}

function endsWithinThought(text: string, [opening, closing]: ThoughtMarks): boolean {
  return text.trimEnd().endsWith(opening) && !opening.endsWith(closing);
}

function findMarks({ segments }: ChatWrapperSettings, template: string): ThoughtMarks | undefined {
  const thought = segments?.thought;
  if (!thought) return undefined;
  const known = KNOWN_MARKS.find((marks) => marks.every((mark) => template.includes(mark)));
  if (known) return known;
  const { prefix, suffix } = thought;
  if (suffix === undefined || (typeof prefix === "object" && "type" in prefix && prefix.type === "openedOnStart"))
    return undefined;
  return [
    LlamaText(prefix as LlamaText | string)
      .toString()
      .trim(),
    LlamaText(suffix).toString().trim(),
  ];
}

function withMarks(settings: ChatWrapperSettings, [opening, closing]: ThoughtMarks): ChatWrapperSettings {
  const thought = {
    ...settings.segments?.thought,
    prefix: LlamaText(new SpecialTokensText(opening)),
    suffix: LlamaText(new SpecialTokensText(closing)),
    openOnResponseStart: false,
    reopenAfterFunctionCalls: false,
  };
  return { ...settings, segments: { ...settings.segments, thought } };
}
