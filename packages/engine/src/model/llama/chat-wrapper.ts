import {
  type ChatWrapper,
  type ChatWrapperGenerateContextStateOptions,
  type ChatWrapperSettings,
  HarmonyChatWrapper,
  JinjaTemplateChatWrapper,
  type LlamaModel,
  resolveChatWrapper,
} from "node-llama-cpp";
import { type TemplateValues, UnusableChatError } from "../engine-model.ts";

/** So many wrappers are kept for conversations with template values; most callers use the same few. */
const KEPT_WRAPPERS = 16;

/**
 * Returns a function that selects the wrapper for template values. It throws {@link UnusableChatError} if the template
 * can't be rendered with them. Values that the template does not read change nothing.
 */
export function createWrapperSelection(model: LlamaModel): (values: TemplateValues) => ChatWrapper {
  const plain = selectChatWrapper(model);
  const template = chatTemplateOf(model) ?? "";
  const kept = new Map<string, ChatWrapper>();
  return (values) => {
    const read = Object.entries(values).filter(([name]) => readsVariable(template, name));
    if (read.length === 0) return plain;
    const key = JSON.stringify(read.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const wrapper = kept.get(key) ?? createWrapperWithValues(model, plain, template, Object.fromEntries(read));
    kept.delete(key);
    kept.set(key, wrapper);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_WRAPPERS && oldest !== undefined) kept.delete(oldest);
    return wrapper;
  };
}

/**
 * Returns the wrapper that renders conversations for a model. node-llama-cpp prefers a wrapper of its own that renders
 * the same text as the model's template; if only the template marks reasoning, the template is used.
 */
function selectChatWrapper(model: LlamaModel): ChatWrapper {
  const preferred = resolveChatWrapper(model, { warningLogs: false });
  if (!chatTemplateOf(model) || preferred.settings.segments?.thought) return preferred;
  try {
    const templateWrapper = resolveChatWrapper(model, { type: "jinjaTemplate", warningLogs: false });
    return templateWrapper.settings.segments?.thought ? templateWrapper : preferred;
  } catch {
    // A template that can't be rendered: the preferred wrapper does without it.
    return preferred;
  }
}

/** Whether the model's template supports tools. */
export function templateHasTools(model: LlamaModel): boolean {
  return readsVariable(chatTemplateOf(model) ?? "", "tools");
}

function readsVariable(template: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(template);
}

function createWrapperWithValues(
  model: LlamaModel,
  plain: ChatWrapper,
  template: string,
  values: TemplateValues,
): ChatWrapper {
  if (plain instanceof HarmonyChatWrapper) return createHarmonyWrapper(values);
  try {
    return createTemplateWrapper(model, template, values);
  } catch (error) {
    throw new UnusableChatError(error instanceof Error ? error.message : String(error));
  }
}

/** The template of gpt-oss reads more than these, but its channels are taken apart by node-llama-cpp's own wrapper. */
function createHarmonyWrapper({ reasoning_effort: effort, model_identity: identity }: TemplateValues): ChatWrapper {
  const reasoningEffort = (["low", "medium", "high"] as const).find((name) => name === effort);
  if (effort !== undefined && reasoningEffort === undefined) {
    throw new UnusableChatError("reasoning_effort must be low, medium or high.");
  }
  return new HarmonyChatWrapper({
    ...(reasoningEffort && { reasoningEffort }),
    ...(typeof identity === "string" && { modelIdentity: identity }),
  });
}

/**
 * Renders with the model's own template. The model's turn begins with what the template writes for a new one: many
 * templates write an empty thought there when thinking is switched off.
 */
function createTemplateWrapper(model: LlamaModel, template: string, values: TemplateValues): ChatWrapper {
  const isThinking = values.enable_thinking !== false && values.thinking !== false;
  const create = (additionalRenderParameters: Record<string, unknown>) =>
    new JinjaTemplateChatWrapper({
      template,
      tokenizer: model.tokenizer,
      reasoning: isThinking,
      additionalRenderParameters,
    });
  const wrapper = create({ ...values });
  const opening = create({ ...values, add_generation_prompt: true });
  const generateContextState = (options: ChatWrapperGenerateContextStateOptions) => {
    const state = wrapper.generateContextState(options);
    const last = options.chatHistory.at(-1);
    if (last?.type !== "model" || last.response.length > 0) return state;
    const { contextText } = opening.generateContextState({ ...options, chatHistory: options.chatHistory.slice(0, -1) });
    return { ...state, contextText };
  };
  return Object.create(wrapper, {
    generateContextState: { value: generateContextState },
    settings: { value: isThinking ? wrapper.settings : withoutOpenThought(wrapper.settings) },
  });
}

/** Without thinking, a turn does not begin within a thought, even where the template lets each turn begin so. */
function withoutOpenThought(settings: ChatWrapperSettings): ChatWrapperSettings {
  const prefix = settings.segments?.thought?.prefix;
  if (typeof prefix !== "object" || !("type" in prefix) || prefix.type !== "openedOnStart") return settings;
  const { segments, ...others } = settings;
  return others;
}

function chatTemplateOf(model: LlamaModel): string | undefined {
  return model.fileInfo.metadata.tokenizer.chat_template;
}
