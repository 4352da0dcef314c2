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
import { findToolFault } from "./template-trial.ts";
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
const NULL_VARIABLES = { tools: null, documents: null };

/** How templates want messages that call tools. */
type MessageForm = {
  /** The content of a message that has none. */
  emptyContent: "" | null;
  /** Whether arguments are text with JSON, not objects. */
  hasTextArguments: boolean;
};

/** The form of transformers, and those that some templates need instead. */
const FORMS = [
  { emptyContent: "", hasTextArguments: false },
  { emptyContent: null, hasTextArguments: false },
  { emptyContent: null, hasTextArguments: true },
  { emptyContent: "", hasTextArguments: true },
] as const satisfies MessageForm[];

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
  { values, ...options }: TemplateWrapperOptions,
): ChatWrapper {
  try {
    return createWithVariables(model, { ...options, values: { ...NULL_VARIABLES, ...values } });
  } catch {
    // Templates that are made for tools alone go through them without a question.
    return createWithVariables(model, { ...options, values });
  }
}

function createWithVariables(
  model: Pick<LlamaModel, "tokenizer">,
  { template, values, toolFormat, limit }: TemplateWrapperOptions,
): ChatWrapper {
  const beginPrompt = createRenderer(template, limit);
  const create = (additionalRenderParameters: Record<string, unknown>): ChatWrapper => {
    const wrapper = new JinjaTemplateChatWrapper({
      template,
      tokenizer: model.tokenizer,
      reasoning: values.enable_thinking !== false && values.thinking !== false,
      additionalRenderParameters,
    });
    return toolFormat ? withToolFormat(wrapper, toolFormat) : wrapper;
  };
  const wrapper = create({ ...values });
  const newTurn = create({ ...values, add_generation_prompt: true });
  const marks = findMarks(wrapper.settings, template);
  const withForm = (form: MessageForm): ChatWrapper =>
    Object.create(wrapper, {
      settings: { value: marks ? withMarks(wrapper.settings, marks) : wrapper.settings },
      generateContextState: {
        value: (options: ChatWrapperGenerateContextStateOptions) => {
          const renderer = withPreparedValues(beginPrompt(), options.availableFunctions ?? {}, form);
          const joined = { ...options, chatHistory: joinTurns(toKnownRoles(options.chatHistory, wrapper.settings)) };
          return renderContext({ wrapper, newTurn, renderer, form, marks }, joined);
        },
      },
    });
  const usual = withForm(FORMS[0]);
  return FORMS.map(withForm).find((each) => findToolFault(() => each, toolFormat) === null) ?? usual;
}

/** Replaces fields of node-llama-cpp's wrapper for templates, which its types don't name. */
function withRenderer({ renderer, form }: Pick<TemplateParts, "renderer" | "form">, wrapper: ChatWrapper): ChatWrapper {
  return Object.create(wrapper, {
    _stringifyFunctionParams: { value: form.hasTextArguments },
    _jinjaTemplate: { value: renderer },
    // It would join turns of the same role in a copy of the history, in which raw numbers are lost.
    joinAdjacentMessagesOfTheSameType: { value: false },
    // node-llama-cpp would wrap arguments in an object under the key `params`, and write results as quoted JSON
    // strings.
    _wrapFunctionParamsInsideMapKey: { value: undefined },
    _stringifyFunctionResult: { value: false },
  });
}

/**
 * Describes tools as the request does; what node-llama-cpp describes is the schema of a grammar, without its texts. Gives
 * messages that only call tools a content.
 */
function withPreparedValues(
  renderer: PromptRenderer,
  functions: ChatModelFunctions,
  { emptyContent }: MessageForm,
): PromptRenderer {
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
  const withContent = (message: unknown) => ({ content: emptyContent, ...toRecord(message) });
  return {
    render(variables) {
      const messages = toList(variables.messages).map(withContent);
      return renderer.render({ ...variables, messages, ...(variables.tools ? { tools } : {}) });
    },
  };
}

/** Makes system messages part of the conversation where the template has none. */
function toKnownRoles(history: readonly ChatHistoryItem[], { supportsSystemMessages }: ChatWrapperSettings) {
  if (supportsSystemMessages) return history;
  return history.map((item): ChatHistoryItem => {
    if (item.type !== "system") return item;
    return { type: "user", text: `### System message\n\n${LlamaText.fromJSON(item.text)}\n\n----` };
  });
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

type TemplateParts = {
  wrapper: ChatWrapper;
  /** Renders what the template writes for a new turn. */
  newTurn: ChatWrapper;
  renderer: PromptRenderer;
  form: MessageForm;
  marks: ThoughtMarks | undefined;
};

function renderContext(
  parts: TemplateParts,
  options: ChatWrapperGenerateContextStateOptions,
): ChatWrapperGeneratedContextState {
  const { marks } = parts;
  const state = withRenderer(parts, parts.wrapper).generateContextState(options);
  const contextText = renderNewTurn(parts, options);
  if (contextText === null) return state;
  if (!marks || !endsWithinThought(contextText.toString(), marks)) return { ...state, contextText };
  const { stopGenerationTriggers } = state;
  const noPrefixTrigger = { type: "segment" as const, segmentType: "thought" as const, inject: LlamaText([]) };
  return { contextText, stopGenerationTriggers, noPrefixTrigger };
}

/**
 * Returns the prompt that begins the model's turn, or continues it after the results of its calls; null if the turn has
 * begun.
 */
function renderNewTurn(
  { newTurn, renderer, form }: TemplateParts,
  options: ChatWrapperGenerateContextStateOptions,
): LlamaText | null {
  const last = options.chatHistory.at(-1);
  if (last?.type !== "model") return null;
  const lastPart = last.response.at(-1);
  if (lastPart === undefined) {
    const chatHistory = options.chatHistory.slice(0, -1);
    return withRenderer({ renderer, form }, newTurn).generateContextState({ ...options, chatHistory }).contextText;
  }
  const writesCalls = newTurn instanceof JinjaTemplateChatWrapper && newTurn.usingJinjaFunctionCallTemplate;
  if (typeof lastPart === "string" || lastPart.type !== "functionCall" || !writesCalls) return null;
  const shortened = { renderer: withoutLastMessage(renderer), form };
  return withRenderer(shortened, newTurn).generateContextState(options).contextText;
}

/**
 * Leaves out the empty message of the model that node-llama-cpp puts after results, with which templates end thoughts. Its
 * content is a mark that has to stand in the text.
 */
function withoutLastMessage(renderer: PromptRenderer): PromptRenderer {
  return {
    render(variables) {
      const messages = toList(variables.messages);
      const { content, reasoning_content: reasoning } = toRecord(messages.at(-1));
      if (toRecord(messages.at(-2)).role !== "tool") throw new Error("The template does not write results of tools.");
      return `${renderer.render({ ...variables, messages: messages.slice(0, -1) })}${content || reasoning}`;
    },
  };
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
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
