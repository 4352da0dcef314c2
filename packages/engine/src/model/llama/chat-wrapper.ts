import {
  type ChatWrapper,
  HarmonyChatWrapper,
  JinjaTemplateChatWrapper,
  type LlamaModel,
  resolveChatWrapper,
} from "node-llama-cpp";
import { type TemplateValues, UnusableChatError } from "../engine-model.ts";
import { findToolFormat, type ToolFormat } from "../tool-calls/tool-format.ts";
import { acceptTightCalls } from "./call-spacing.ts";
import { createTemplateWrapper } from "./template-wrapper.ts";

/** So many wrappers are kept for conversations with template values; most callers use the same few. */
const KEPT_WRAPPERS = 16;

/** Returns the wrapper for template values, and for a conversation with tools or without. */
export type SelectWrapper = (values: TemplateValues, hasTools: boolean) => ChatWrapper;

/**
 * Returns a function that selects the wrapper for template values. It throws {@link UnusableChatError} if the template
 * can't be rendered with them. Values that the template does not read change nothing. A family whose form of tool calls is
 * known gets the template itself when there are tools.
 */
export function createWrapperSelection(model: LlamaModel): SelectWrapper {
  const template = chatTemplateOf(model);
  const plain = acceptTightCalls(selectChatWrapper(model, template));
  const format = plain instanceof HarmonyChatWrapper ? null : findToolFormat(template);
  const kept = new Map<string, ChatWrapper>();
  return (values, hasTools) => {
    const read = Object.entries(values).filter(([name]) => readsVariable(template, name));
    const toolFormat = hasTools ? format : null;
    if (read.length === 0 && toolFormat === null) return plain;
    const key = JSON.stringify([toolFormat !== null, read.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    const create = () =>
      createWrapperWithValues(model, { plain, template, values: Object.fromEntries(read), toolFormat });
    const wrapper = kept.get(key) ?? acceptTightCalls(create());
    kept.delete(key);
    kept.set(key, wrapper);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_WRAPPERS && oldest !== undefined) kept.delete(oldest);
    return wrapper;
  };
}

/**
 * Returns the wrapper that renders conversations for a model. node-llama-cpp prefers a wrapper of its own that renders
 * the same text as the model's template. The template is used where there is no such wrapper, and where only the
 * template marks reasoning or a turn begins with it.
 */
function selectChatWrapper(model: LlamaModel, template: string): ChatWrapper {
  const preferred = resolveChatWrapper(model, { warningLogs: false });
  const thought = preferred.settings.segments?.thought;
  const isSufficient = thought && !thought.openOnResponseStart && !(preferred instanceof JinjaTemplateChatWrapper);
  if (template === "" || isSufficient) return preferred;
  try {
    const templateWrapper = createTemplateWrapper(model, template, {});
    const isBetter = preferred instanceof JinjaTemplateChatWrapper || templateWrapper.settings.segments?.thought;
    return isBetter ? templateWrapper : preferred;
  } catch {
    // A template that can't be rendered: the preferred wrapper does without it.
    return preferred;
  }
}

/** Whether the model's template describes tools, or it is known how to describe them to models with this template. */
export function supportsTools(model: LlamaModel): boolean {
  const template = chatTemplateOf(model);
  return readsVariable(template, "tools") || findToolFormat(template)?.describeTools != null;
}

/** Whether the model's chat template reads a variable of this name. */
export function readsTemplateVariable(model: LlamaModel, name: string): boolean {
  return readsVariable(chatTemplateOf(model), name);
}

/** Returns the form in which a model calls tools; null if node-llama-cpp finds it by the template. */
export function toolFormatOf(model: LlamaModel): ToolFormat | null {
  return findToolFormat(chatTemplateOf(model));
}

function readsVariable(template: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(template);
}

type WrapperOptions = {
  plain: ChatWrapper;
  template: string;
  values: TemplateValues;
  toolFormat: ToolFormat | null;
};

function createWrapperWithValues(
  model: LlamaModel,
  { plain, template, values, toolFormat }: WrapperOptions,
): ChatWrapper {
  if (plain instanceof HarmonyChatWrapper) return createHarmonyWrapper(values);
  try {
    return createTemplateWrapper(model, template, values, toolFormat);
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

function chatTemplateOf(model: LlamaModel): string {
  return model.fileInfo.metadata.tokenizer.chat_template ?? "";
}
