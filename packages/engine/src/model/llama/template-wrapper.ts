import {
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

/**
 * Returns a wrapper that renders with the model's own template, and throws if it can't be rendered. The model's turn
 * begins with what the template writes for a new turn, which may open a thought or, where thinking is switched off, an
 * empty one. Thoughts are found by their marks, with any line breaks around them or none. Tool calls have the given form,
 * by default the one that node-llama-cpp finds in the template.
 */
export function createTemplateWrapper(
  model: LlamaModel,
  template: string,
  values: TemplateValues,
  toolFormat: ToolFormat | null = null,
): ChatWrapper {
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
  return Object.create(wrapper, {
    settings: { value: marks ? withMarks(wrapper.settings, marks) : wrapper.settings },
    generateContextState: {
      value: (options: ChatWrapperGenerateContextStateOptions) => renderContext(wrapper, newTurn, marks, options),
    },
  });
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
