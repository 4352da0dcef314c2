import {
  ChatWrapper,
  DeepSeekChatWrapper,
  GeneralChatWrapper,
  HarmonyChatWrapper,
  JinjaTemplateChatWrapper,
  type LlamaModel,
  resolveChatWrapper,
} from "node-llama-cpp";
import { type TemplateValues, UnusableChatError } from "../engine-model.ts";
import { findToolFormat, type ToolFormat } from "../tool-calls/tool-format.ts";
import { acceptTightCalls } from "./call-spacing.ts";
import { createRenderer, type RenderLimit, SlowTemplateError } from "./template-renderer.ts";
import { findChatFault, findToolFault } from "./template-trial.ts";
import { createTemplateWrapper } from "./template-wrapper.ts";

/** The number of wrappers that are kept for conversations with template values; most callers use the same few. */
const KEPT_WRAPPERS = 16;

/** Returns the wrapper for template values, and for a conversation with tools or without. */
export type SelectWrapper = (values: TemplateValues, hasTools: boolean) => ChatWrapper;

/** How conversations are rendered for a model, and how it calls tools. */
export type ChatSupport = {
  wrapperFor: SelectWrapper;
  /** Whether conversations with tools can be rendered. */
  supportsTools: boolean;
  /** The form in which the model calls tools; null if node-llama-cpp finds it by the template. */
  toolFormat: ToolFormat | null;
  /** Whether the template reads a variable of this name. */
  readsTemplateVariable(name: string): boolean;
};

/** Limits rendering, and hears why a template is used in part only. */
export type ChatSupportOptions = { limit: RenderLimit; log: (message: string) => void };

/**
 * Finds out by the model's template, and by rendering short conversations, how to render chats and whether the model has
 * tools. A template that can't be rendered, or not in time, is replaced by the wrapper of the model's family.
 */
export function createChatSupport(model: LlamaModel, { limit, log }: ChatSupportOptions): ChatSupport {
  const whole = chatTemplateOf(model);
  const fault = whole === "" ? null : findTemplateFault(whole, limit);
  if (fault !== null) log(`The chat template can't be used: ${fault}`);
  const template = fault === null ? whole : "";
  const wrapperFor = createWrapperSelection(model, template, limit);
  const toolFormat = findToolFormat(template);
  const describesTools = readsVariable(template, "tools") || toolFormat?.describeTools != null;
  const toolFault = describesTools ? findToolFault(() => wrapperFor({}, true), toolFormat) : null;
  if (toolFault !== null) log(`The chat template can't be used with tools: ${toolFault}`);
  return {
    wrapperFor,
    supportsTools: describesTools && toolFault === null,
    toolFormat,
    readsTemplateVariable: (name) => readsVariable(template, name),
  };
}

/** Returns why a template can't be used at all: it is none, or takes too long with one message; otherwise null. */
function findTemplateFault(template: string, limit: RenderLimit): string | null {
  try {
    const beginPrompt = createRenderer(template, limit);
    try {
      beginPrompt().render({ messages: [{ role: "user", content: "Hello" }], add_generation_prompt: true });
    } catch (error) {
      // Other errors are no fault yet: the wrapper changes messages in ways that some templates need, and is tried with
      // chats later.
      if (error instanceof SlowTemplateError) throw error;
    }
    return null;
  } catch (error) {
    return toReason(error);
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns a function that selects the wrapper for template values. It throws {@link UnusableChatError} if the template
 * can't be rendered with them. Values that the template does not read change nothing. A family whose form of tool calls is
 * known gets the template itself when there are tools.
 */
function createWrapperSelection(model: LlamaModel, template: string, limit: RenderLimit): SelectWrapper {
  const plain = acceptTightCalls(selectChatWrapper(model, template, limit));
  const format = plain instanceof HarmonyChatWrapper ? null : findToolFormat(template);
  const kept = new Map<string, ChatWrapper>();
  return (values, hasTools) => {
    const read = Object.entries(values).filter(([name]) => readsVariable(template, name));
    const toolFormat = hasTools ? format : null;
    if (read.length === 0 && toolFormat === null) return plain;
    const key = JSON.stringify([toolFormat !== null, read.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    const create = () =>
      createWrapperWithValues(model, { plain, template, values: Object.fromEntries(read), toolFormat, limit });
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
 * the same text as the model's template. The template is used where there is no such wrapper, where only the template marks
 * reasoning or a turn begins with it, and where only the template has a form for calls of tools. If it can't be rendered, the family's wrapper does without it.
 */
function selectChatWrapper(model: LlamaModel, template: string, limit: RenderLimit): ChatWrapper {
  const preferred = resolveWrapper(model, template);
  const thought = preferred?.settings.segments?.thought;
  // Its wrapper for DeepSeek leaves out how a turn begins.
  const isWhole = preferred && thought && !thought.openOnResponseStart && !(preferred instanceof DeepSeekChatWrapper);
  if (template === "" || isWhole) return preferred ?? withoutTemplate(model);
  try {
    const templateWrapper = createTemplateWrapper(model, { template, values: {}, toolFormat: null, limit });
    const isBetter =
      preferred === null ||
      templateWrapper.settings.segments?.thought ||
      (!writesCalls(preferred) && writesCalls(templateWrapper));
    if (isBetter && findChatFault(templateWrapper) === null) return templateWrapper;
  } catch {
    // The template can't be rendered.
  }
  return preferred ?? withoutTemplate(model);
}

/** Whether a wrapper writes calls of tools as the model's family does, not in the form that node-llama-cpp has for all. */
function writesCalls({ settings }: ChatWrapper): boolean {
  return settings.functions !== ChatWrapper.defaultSettings.functions;
}

/** Returns node-llama-cpp's own wrapper that renders as the template does, null if there is none. */
function resolveWrapper(model: LlamaModel, template: string): ChatWrapper | null {
  const { metadata } = model.fileInfo;
  const tokenizer = { ...metadata.tokenizer, chat_template: template };
  const wrapper = resolveChatWrapper({
    // Without `llama`, templates are never rendered by llama.cpp, where nothing limits the time.
    tokenizer: model.tokenizer,
    fileInfo: { ...model.fileInfo, metadata: { ...metadata, tokenizer } },
    bosString: model.tokens.bosString,
    ...(model.filename !== undefined && { filename: model.filename }),
    warningLogs: false,
  });
  return wrapper instanceof JinjaTemplateChatWrapper ? null : wrapper;
}

function withoutTemplate(model: LlamaModel): ChatWrapper {
  return resolveWrapper(model, "") ?? new GeneralChatWrapper();
}

function readsVariable(template: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(template);
}

type WrapperOptions = {
  plain: ChatWrapper;
  template: string;
  values: TemplateValues;
  toolFormat: ToolFormat | null;
  limit: RenderLimit;
};

function createWrapperWithValues(model: LlamaModel, { plain, ...options }: WrapperOptions): ChatWrapper {
  const { values } = options;
  if (plain instanceof HarmonyChatWrapper) return createHarmonyWrapper(values);
  try {
    return createTemplateWrapper(model, options);
  } catch (error) {
    throw new UnusableChatError(toReason(error));
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
